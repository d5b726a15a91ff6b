# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every wait of a host thread is in the record for KOKKOS_EXPLAIN_WAITS; check.py applies this.

- A function of the vendors' runtimes that can wait has a HostWait: GPURecordedCalls defines it again.
- No other file calls such a function by the vendor's name, or the struct without a record.
- A file in which a thread polls, sleeps or waits for another thread is in POLLS, with the number of such places and why the record has
  them, or need not have them.
"""
import re

GPU = "core/src/impl/GPU/"
RECORDED = GPU + "Kokkos_GPU_RecordedCalls.hpp"
VENDOR_CALLS = (GPU + "portable/Kokkos_GPU_VendorCalls.hpp", GPU + "Kokkos_GPU_VendorGraphCalls.hpp",
                *(f"core/src/{v}/Kokkos_{v}_Runtime.{end}" for v in ("Cuda", "HIP") for end in ("hpp", "cpp")))

# The names of the runtimes' functions that can wait, without the vendor's prefix.
WAITING = r"(?:(?:Stream|Event|Device)Synchronize|Malloc(?:Managed|Host|Pitch)?|HostMalloc|HostAlloc|Free(?:Host)?|HostFree|Memcpy(?:2D)?|Memset|FuncGetAttributes)"
CALL = re.compile(rf"\b(?:cuda|hip){WAITING}\s*\(|KOKKOS_IMPL_GPU_VENDOR\({WAITING}\)\s*\(")
FUNCTION = re.compile(r"(?:static \w+|^\w+ (?:Cuda|HIP)Calls::)\s*(?P<name>\w+)\([^;{]*\)\s*(?:noexcept )?\{", re.MULTILINE)
UNRECORDED = re.compile(r"\b(?:Cuda|HIP)Calls\b")

POLL = re.compile(r"this_thread::(?:yield|sleep_for)|\.(?:wait|wait_for)\((?:lock|nullptr)|\.join\(\)|host_yield\(\)|\bhas_arrived\(|\bStagingWords::awaits(?:_equal)?\("
                  r"|\bspins_until\(|\bhelp_until\(|\bhelp_stream\(")
POLLS = {
    GPU + "graph/Kokkos_GPU_GraphStore_Impl.hpp": (1, "inside a HostWait"),
    GPU + "portable/Kokkos_GPU_SlotCopy.hpp": (3, "GPUCopyRequest::note_wait has a HostWait for the method slot"),
    GPU + "portable/Kokkos_GPU_StagingQueue.hpp": (5, "staging threads; and copies, for which GPUCopyRequest::note_wait has a HostWait, or whose "
                                                      "stream has ended, in a scope of its instance"),
    GPU + "portable/Kokkos_GPU_StagingJob.hpp": (5, "defines how threads wait for words"),
    GPU + "portable/Kokkos_GPU_StagingBuffer.hpp": (2, "a staging thread; and the test of streams while the buffer is made, at most a second"),
    GPU + "portable/Kokkos_GPU_StagingMemory.hpp": (1, "staging threads that touch memory"),
    GPU + "portable/Kokkos_GPU_FunctorTransport.hpp": (2, "claim_slot has a GPUWaitNote; forget waits for other launches"),
    GPU + "portable/Kokkos_GPU_GraphKeeper.hpp": (1, "the end of finalize waits for reports of ended graphs, not for work"),
    GPU + "portable/Kokkos_GPU_StagingPool.hpp": (5, "defines how threads wait for staging threads, and their own waits"),
    GPU + "portable/Kokkos_GPU_CopyEngine.hpp": (3, "GPUCopyRequest::note_wait has a HostWait for these methods"),
    GPU + "instance/Kokkos_GPU_DefaultStream_Impl.hpp": (1, "a fence helps copies, and then waits for an event behind them"),
    GPU + "instance/Kokkos_GPU_Instance_Impl.hpp": (5, "waits for visits, which wait for work in a fence, and have the record there; fences help copies, and then "
                                                       "wait for their stream"),
    GPU + "instance/Kokkos_GPU_ResultCells_Impl.hpp": (2, "ResultSlot::wait has a HostWait"),
    "core/src/impl/runtime/Kokkos_ResultSlot.hpp": (2, "wait has a HostWait"),
    "core/src/Kokkos_StdExec.hpp": (2, "the thread that completes operations, and its end"),
    "core/src/Kokkos_PendingResult.hpp": (1, "is_ready asks once"),
    GPU + "copy/Kokkos_GPU_MailboxCopy.hpp": (2, "GPUCopyRequest::note_wait has a HostWait for copies without an instance"),
    "core/src/impl/atomic/Kokkos_AtomicLocks.cpp": (1, "a lock of large atomics, for other host threads"),
    "core/src/impl/Host/Kokkos_Host_Instance.cpp": (2, "defines host_yield"),
    "core/src/impl/Host/Kokkos_Host_Instance.hpp": (2, "threads of a team wait for one another"),
    "core/src/impl/Host/Kokkos_Host_TeamBarrier.cpp": (1, "threads of a team wait for one another"),
    "core/src/Threads/Kokkos_Threads_Pool.cpp": (2, "threads of the team without a task, and their end"),
}


def waiting_functions(text):
    """The names of the functions in a vendor's files that call a function which can wait."""
    starts = list(FUNCTION.finditer(text))
    for this, following in zip(starts, [*starts[1:], None]):
        if CALL.search(text[this.end():following.start() if following else len(text)]):
            yield this["name"]


def complaints(tree, without_comments):
    code = {f.relative_to(tree).as_posix(): without_comments(f.read_text()) for f in sorted((tree / "core/src").rglob("*")) if f.suffix in (".hpp", ".cpp")}
    recorded = set(re.findall(r"static error_t (\w+)\(", code[RECORDED]))
    for name in VENDOR_CALLS:
        for function in waiting_functions(code[name]):
            if function not in recorded:
                yield f"{name}: {function} can wait, but {RECORDED} does not record it"
    for name, text in code.items():
        folder = name.split("/")[2]
        if name not in VENDOR_CALLS and (match := CALL.search(text)):
            yield f"{name} calls {match[0]}...) itself, so the record of waits does not have it. Call it by the Runtime"
        if folder not in ("Cuda", "HIP") and (match := UNRECORDED.search(text)):
            yield f"{name} names {match[0]}, whose waits are not recorded"
        found, (expected, _) = len(POLL.findall(text)), POLLS.get(name, (0, ""))
        if found != expected:
            yield (f"{name} has {found} places in which a thread waits, and tests/structure/waits.py expects {expected}. Put a HostWait around a wait "
                   "for a device, and write the number and the reason there")
    yield from (f"{name} does not exist; remove it from tests/structure/waits.py" for name in POLLS if name not in code)
