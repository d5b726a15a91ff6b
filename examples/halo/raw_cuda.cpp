// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same as halo in one process, written only with CUDA's runtime: the reference for its scaling. Events order the
/// streams, so the host never waits within a run.
///
/// halo_raw [--weak N] [--strong N[,N...]] [--steps N] [--repeats N] [--block X,Y,Z] [--json FILE]

#include "Grid.hpp"
#include "Report.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

constexpr double coefficient = 0.125;
dim3 block_of_boxes(32, 4, 4);  // for boxes that are not thin in x: the tile that Kokkos chooses

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// A box, in a form that kernels accept by value.
struct Range {
  int begin[3], end[3];
  explicit Range(Box const& box) {
    for (int d = 0; d < 3; ++d) {
      begin[d] = box.begin[d];
      end[d]   = box.end[d];
    }
  }
  __device__ bool has_thread(int& x, int& y, int& z) const {
    x = begin[0] + int(blockIdx.x * blockDim.x + threadIdx.x);
    y = begin[1] + int(blockIdx.y * blockDim.y + threadIdx.y);
    z = begin[2] + int(blockIdx.z * blockDim.z + threadIdx.z);
    return x < end[0] && y < end[1] && z < end[2];
  }
};

/// The field with ghost points; indices are those of the part.
struct Field {
  double* data;
  long long y_stride, z_stride;
  __device__ double& operator()(int x, int y, int z) const {
    return data[x + 1 + (y + 1) * y_stride + (z + 1) * z_stride];
  }
};

__global__ void update(Range range, Field from, Field to) {
  int x, y, z;
  if (!range.has_thread(x, y, z)) return;
  double const u = from(x, y, z);
  to(x, y, z) = u + coefficient * ((from(x - 1, y, z) + from(x + 1, y, z)) + (from(x, y - 1, z) + from(x, y + 1, z)) +
                                   (from(x, y, z - 1) + from(x, y, z + 1)) - 6 * u);
}

/// Copies between a layer of points and a contiguous buffer.
__global__ void copy_layer(Range range, Field field, double* buffer, bool pack) {
  int x, y, z;
  if (!range.has_thread(x, y, z)) return;
  int const nx = range.end[0] - range.begin[0], ny = range.end[1] - range.begin[1];
  double& element =
      buffer[x - range.begin[0] + (long long)nx * (y - range.begin[1] + (long long)ny * (z - range.begin[2]))];
  if (pack) {
    element = field(x, y, z);
  } else {
    field(x, y, z) = element;
  }
}

struct Angles {
  double of[3], factor;
};

__device__ double mode(Angles const& angles, int x, int y, int z) {
  return sin(angles.of[0] * (x + 1)) * sin(angles.of[1] * (y + 1)) * sin(angles.of[2] * (z + 1));
}

__global__ void set_mode(Range range, Field field, Angles angles, int x0, int y0, int z0) {
  int x, y, z;
  if (range.has_thread(x, y, z)) field(x, y, z) = mode(angles, x0 + x, y0 + y, z0 + z);
}

/// The maximum difference, as the bits of a nonnegative number: these are ordered like the numbers.
__global__ void compare(Range range, Field field, Angles angles, double factor, int x0, int y0, int z0,
                        unsigned long long* largest) {
  int x, y, z;
  if (!range.has_thread(x, y, z)) return;
  double const difference = fabs(field(x, y, z) - factor * mode(angles, x0 + x, y0 + y, z0 + z));
  if (difference > 1e-15) atomicMax(largest, (unsigned long long)__double_as_longlong(difference));
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Range, Parameters...), cudaStream_t stream, Box const& box, Arguments... arguments) {
  if (box.empty()) return;
  dim3 const block  = box.extent(0) == 1 ? dim3(1, 32, 8) : block_of_boxes;
  auto const blocks = [&](int d, unsigned size) { return unsigned(box.extent(d) + int(size) - 1) / size; };
  kernel<<<dim3(blocks(0, block.x), blocks(1, block.y), blocks(2, block.z)), block, 0, stream>>>(Range(box),
                                                                                                 arguments...);
  check(cudaGetLastError());
}

class Part {
 public:
  Part(Grid const& grid, int index) : m_device(index), m_points(grid.points_of(index)) {
    check(cudaSetDevice(m_device));
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    check(cudaStreamCreateWithPriority(&interior, cudaStreamNonBlocking, lowest));
    check(cudaStreamCreateWithPriority(&border, cudaStreamNonBlocking, highest));
    for (cudaEvent_t* const event : {&packed, &interior_done, &border_done}) {
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
    for (int d = 0; d < 3; ++d) n[d] = m_points.extent(d);
    long long const y_stride = n[0] + 2, z_stride = y_stride * (n[1] + 2), all = z_stride * (n[2] + 2);
    for (Field* const field : {&now, &next}) {
      *field = {allocate(all), y_stride, z_stride};
      check(cudaMemset(field->data, 0, std::size_t(all) * sizeof(double)));
    }
    std::array<bool, faces> has_neighbor{};
    for (int face = 0; face < faces; ++face) {
      neighbor[face]     = grid.neighbor_of(index, face);
      has_neighbor[face] = neighbor[face] >= 0;
      if (!has_neighbor[face]) continue;
      send[face]    = allocate(face_size(face));
      receive[face] = allocate(face_size(face));
    }
    parts = split(n, has_neighbor);
    check(cudaDeviceSynchronize());
  }
  Part(Part const&)            = delete;
  Part& operator=(Part const&) = delete;
  ~Part() {
    (void)cudaSetDevice(m_device);
    (void)cudaDeviceSynchronize();
    for (double* const memory : m_memory) (void)cudaFree(memory);
    for (cudaEvent_t const event : {packed, interior_done, border_done}) (void)cudaEventDestroy(event);
    for (cudaStream_t const stream : {interior, border}) (void)cudaStreamDestroy(stream);
  }

  void use() const { check(cudaSetDevice(m_device)); }
  int device() const { return m_device; }
  long long face_size(int face) const {
    Box const box = layer(face, false);
    return (long long)box.extent(0) * box.extent(1) * box.extent(2);
  }
  Box layer(int face, bool ghost) const {
    Box box{{}, n};
    int const d  = direction_of(face);
    box.begin[d] = is_high(face) ? n[d] - 1 + ghost : -int(ghost);
    box.end[d]   = box.begin[d] + 1;
    return box;
  }
  void initialize(Angles const& angles) {
    use();
    launch(set_mode, border, {{}, n}, now, angles, m_points.begin[0], m_points.begin[1], m_points.begin[2]);
    check(cudaDeviceSynchronize());
  }
  double difference(Angles const& angles, double factor) {
    use();
    unsigned long long *largest = nullptr, bits = 0;
    check(cudaMalloc(&largest, sizeof bits));
    check(cudaMemset(largest, 0, sizeof bits));
    check(cudaDeviceSynchronize());
    launch(compare, border, {{}, n}, now, angles, factor, m_points.begin[0], m_points.begin[1], m_points.begin[2],
           largest);
    check(cudaStreamSynchronize(border));
    check(cudaMemcpy(&bits, largest, sizeof bits, cudaMemcpyDeviceToHost));
    check(cudaFree(largest));
    double result;
    static_assert(sizeof result == sizeof bits, "");
    std::copy_n(reinterpret_cast<char const*>(&bits), sizeof bits, reinterpret_cast<char*>(&result));
    return result;
  }

  Extents n{};
  std::array<int, faces> neighbor{};
  std::array<double*, faces> send{}, receive{};
  Field now{}, next{};
  Split parts;
  cudaStream_t interior{}, border{};
  cudaEvent_t packed{}, interior_done{}, border_done{};

 private:
  double* allocate(long long elements) {
    double* memory = nullptr;
    check(cudaMalloc(&memory, std::size_t(elements) * sizeof(double)));
    m_memory.push_back(memory);
    return memory;
  }
  int m_device;
  Box m_points;
  std::vector<double*> m_memory;
};

class Heat {
 public:
  explicit Heat(Grid const& grid, bool exchange) : m_exchange(exchange) {
    for (int i = 0; i < grid.number_of_parts(); ++i) m_parts.push_back(std::make_unique<Part>(grid, i));
    m_angles.factor = 1;
    for (int d = 0; d < 3; ++d) {
      m_angles.of[d] = std::acos(-1.0) / (grid.points()[d] + 1);
      m_angles.factor += coefficient * (2 * std::cos(m_angles.of[d]) - 2);
    }
    for (auto const& part : m_parts) part->initialize(m_angles);
  }

  double run(int steps) {
    auto const begin = std::chrono::steady_clock::now();
    for (int s = 0; s < steps; ++s) step();
    for (auto const& part : m_parts) {
      part->use();
      check(cudaStreamSynchronize(part->border));
      check(cudaStreamSynchronize(part->interior));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / steps;
  }

  double difference() const {
    double largest = 0;
    for (auto const& part : m_parts)
      largest = std::max(largest, part->difference(m_angles, std::pow(m_angles.factor, m_steps)));
    return largest;
  }

 private:
  void step() {
    for (auto const& part : m_parts) begin_step(*part);
    for (auto const& part : m_parts) end_step(*part);
    for (auto const& part : m_parts) std::swap(part->now, part->next);
    ++m_steps;
  }

  /// Packs, and meanwhile updates the interior.
  void begin_step(Part& part) {
    part.use();
    check(cudaStreamWaitEvent(part.interior, part.border_done, 0));
    check(cudaStreamWaitEvent(part.border, part.interior_done, 0));
    for (int face = 0; m_exchange && face < faces; ++face) {
      if (part.neighbor[face] < 0) continue;
      // Waits until the neighbour has copied the buffer's content of the previous step.
      check(cudaStreamWaitEvent(part.border, m_parts[part.neighbor[face]]->border_done, 0));
      launch(copy_layer, part.border, part.layer(face, false), part.now, part.send[face], true);
    }
    check(cudaEventRecord(part.packed, part.border));
    launch(update, part.interior, part.parts.interior, part.now, part.next);
    check(cudaEventRecord(part.interior_done, part.interior));
  }

  void end_step(Part& part) {
    part.use();
    for (int face = 0; m_exchange && face < faces; ++face) {
      if (part.neighbor[face] < 0) continue;
      Part const& from = *m_parts[part.neighbor[face]];
      check(cudaStreamWaitEvent(part.border, from.packed, 0));
      check(cudaMemcpyPeerAsync(part.receive[face], part.device(), from.send[opposite(face)], from.device(),
                                std::size_t(part.face_size(face)) * sizeof(double), part.border));
      launch(copy_layer, part.border, part.layer(face, true), part.now, part.receive[face], false);
    }
    for (Box const& box : part.parts.border) launch(update, part.border, box, part.now, part.next);
    check(cudaEventRecord(part.border_done, part.border));
  }

  bool m_exchange;
  std::vector<std::unique_ptr<Part>> m_parts;
  Angles m_angles{};
  int m_steps = 0;
};

struct Options {
  int weak = 64, steps = 20, repeats = 3;
  std::vector<int> strong = {64};
  std::string json;
};

std::vector<int> numbers(std::string const& list) {
  std::vector<int> result;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) result.push_back(std::atoi(word.c_str()));
  return result;
}

Options parse(std::vector<std::string> const& arguments) {
  Options options;
  for (std::size_t i = 1; i + 1 < arguments.size(); i += 2) {
    std::string const &name = arguments[i], &value = arguments[i + 1];
    int* const number = name == "--weak"      ? &options.weak
                        : name == "--steps"   ? &options.steps
                        : name == "--repeats" ? &options.repeats
                                              : nullptr;
    if (number != nullptr) {
      *number = std::atoi(value.c_str());
    } else if (name == "--json") {
      options.json = value;
    } else if (name == "--strong") {
      options.strong = numbers(value);
      std::erase(options.strong, 0);
    } else if (name == "--block" && numbers(value).size() == 3) {
      std::vector<int> const sizes = numbers(value);
      block_of_boxes               = dim3(sizes[0], sizes[1], sizes[2]);
    } else {
      throw std::runtime_error("there is no option " + name);
    }
  }
  return options;
}

double fastest(Heat& heat, Options const& options) {
  heat.run(2);
  double best = heat.run(options.steps);
  for (int repeat = 1; repeat < options.repeats; ++repeat) best = std::min(best, heat.run(options.steps));
  return best;
}

Row measure(Grid const& grid, Options const& options) {
  Row row{grid, 0, 0, 0, 0};
  {
    Heat heat(grid, true);
    row.step  = fastest(heat, options);
    row.error = heat.difference();
  }
  Heat alone(grid, false);
  row.alone = fastest(alone, options);
  return row;
}

Table scale(std::string const& scaling, int points, int devices, double memory, Options const& options) {
  Table table{scaling, "raw CUDA", {}, {}};
  print_head(table);
  for (int parts = 1;; parts = std::min(2 * parts, devices)) {
    Extents const divided = nearly_cubic(parts);
    Extents all           = {points, points, points};
    for (int d = 0; scaling == "weak" && d < 3; ++d) all[d] *= divided[d];
    Grid const grid(all, divided);
    if (grid.bytes_of_a_part() <= memory) {
      table.rows.push_back(measure(grid, options));
      print_last_row(table);
    } else {
      table.left_out.push_back(does_not_fit(grid, memory));
      print_left_out(table);
    }
    if (parts == devices) return table;
  }
}

void allow_peer_access(int devices) {
  for (int one = 0; one < devices; ++one) {
    check(cudaSetDevice(one));
    for (int other = 0; other < devices; ++other) {
      int can = 0;
      if (one != other) check(cudaDeviceCanAccessPeer(&can, one, other));
      if (can == 1) check(cudaDeviceEnablePeerAccess(other, 0));
    }
  }
}

}  // namespace

int main(int argc, char* argv[]) try {
  std::vector<std::string> const command(argv, argv + argc);
  Options const options = parse(command);
  int devices           = 0;
  check(cudaGetDeviceCount(&devices));
  allow_peer_access(devices);
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  double const memory = double(properties.totalGlobalMem) - 2.0 * (1 << 30);  // the rest is for the runtime
  std::vector<Table> tables;
  if (options.weak > 0) tables.push_back(scale("weak", options.weak, devices, memory, options));
  for (int const points : options.strong) tables.push_back(scale("strong", points, devices, memory, options));
  if (!options.json.empty()) write_json(options.json, "halo_raw", properties.name, command, tables);
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "halo_raw: %s\n", error.what());
  return 1;
}
