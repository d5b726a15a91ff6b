// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Messages.hpp>
#include <TestSpaces.hpp>

#include <Kokkos_Tuners.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace tools = Kokkos::Tools::Experimental;

/// The information that the tool of these tests received, and the fraction or number that it chooses.
struct Tool {
  std::vector<std::string> names;
  std::vector<tools::VariableInfo> infos;
  std::vector<std::size_t> begun, ended;
  std::vector<double> defaults;                ///< the fractions before the tool chose
  std::map<std::size_t, std::string> name_of;  ///< by number of the variable
  std::map<std::string, double> fractions;     ///< of some variables, in place of `fraction`
  double fraction     = 0;
  std::int64_t number = 0;
} tool;

class TunersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tool = {};
    tools::set_declare_output_type_callback(
        [](char const* name, std::size_t const id, Kokkos_Tools_VariableInfo* info) {
          tool.names.push_back(name);
          tool.name_of[id] = name;
          tool.infos.push_back(*info);
        });
    tools::set_begin_context_callback([](std::size_t const context) { tool.begun.push_back(context); });
    tools::set_end_context_callback(
        [](std::size_t const context, Kokkos_Tools_VariableValue) { tool.ended.push_back(context); });
    tools::set_request_output_values_callback([](std::size_t const, std::size_t const,
                                                 Kokkos_Tools_VariableValue const*, std::size_t const count,
                                                 Kokkos_Tools_VariableValue* values) {
      for (std::size_t i = 0; i < count; ++i) {
        if (values[i].metadata->type == kokkos_value_double) {
          tool.defaults.push_back(values[i].value.double_value);
          auto const own               = tool.fractions.find(tool.name_of[values[i].type_id]);
          values[i].value.double_value = own != tool.fractions.end() ? own->second : tool.fraction;
        } else {
          values[i].value.int_value = tool.number;
        }
      }
    });
  }
  void TearDown() override {
    without_tool();
    tools::set_declare_output_type_callback(nullptr);
    tools::set_begin_context_callback(nullptr);
    tools::set_end_context_callback(nullptr);
  }
  static void without_tool() { tools::set_request_output_values_callback(nullptr); }
};

std::map<int, std::vector<int>> const sparse{{1, {10, 20, 30}}, {2, {40}}};

void expect_declared(tools::VariableInfo const& info, Kokkos_Tools_VariableInfo_ValueType type,
                     Kokkos_Tools_VariableInfo_StatisticalCategory category,
                     Kokkos_Tools_VariableInfo_CandidateValueType quantity) {
  EXPECT_TRUE(info.type == type && info.category == category && info.valueQuantity == quantity);
}

TEST_F(TunersTest, AFractionSelectsInEachDimension) {
  auto problem = tools::make_multidimensional_sparse_tuning_problem<20>(sparse, {"outer", "inner"});
  EXPECT_EQ(tool.names, (std::vector<std::string>{"outer", "inner"}));
  for (auto const& info : tool.infos)
    expect_declared(info, kokkos_value_double, kokkos_value_interval, kokkos_value_range);
  EXPECT_EQ(tool.infos[0].candidates.range.lower.double_value, 0.0);
  EXPECT_LT(tool.infos[0].candidates.range.upper.double_value, 1.0);
  EXPECT_EQ(problem.get_point(0.0, 0.0), std::make_tuple(1, 10));
  EXPECT_EQ(problem.get_point(0.49, 0.4), std::make_tuple(1, 20));
  EXPECT_EQ(problem.get_point(0.49, 0.999), std::make_tuple(1, 30));
  EXPECT_EQ(problem.get_point(0.5, 0.999), std::make_tuple(2, 40));
  // Fractions outside the range of the candidates.
  EXPECT_EQ(problem.get_point(7, -3), std::make_tuple(2, 40));
}

TEST_F(TunersTest, ATrialIsAContext) {
  auto problem  = tools::make_multidimensional_sparse_tuning_problem(sparse, {"outer", "inner"});
  tool.fraction = 0.4;
  EXPECT_EQ(problem.begin(), std::make_tuple(1, 20));
  EXPECT_EQ(tool.begun.size(), 1u);
  EXPECT_TRUE(tool.ended.empty());
  problem.end();
  EXPECT_EQ(tool.ended, tool.begun);
  EXPECT_EQ(problem.begin(), std::make_tuple(1, 20));
  problem.end();
  EXPECT_NE(tool.begun[0], tool.begun[1]);
  without_tool();
  EXPECT_EQ(problem.begin(), std::make_tuple(1, 10));
  problem.end();
}

// The tool chooses by the number of a variable. Before, each fraction is 0.
TEST_F(TunersTest, EachDimensionHasItsFraction) {
  auto problem   = tools::make_multidimensional_sparse_tuning_problem(sparse, {"outer", "inner"});
  tool.fractions = {{"outer", 0.1}, {"inner", 0.7}};
  EXPECT_EQ(problem.begin(), std::make_tuple(1, 30));
  problem.end();
  EXPECT_EQ(tool.defaults, (std::vector<double>{0, 0}));
  tool.fractions = {{"outer", 0.6}, {"inner", 0}};
  EXPECT_EQ(problem.begin(), std::make_tuple(2, 40));
  problem.end();
  auto extended  = problem.extend("words", std::vector<std::string>{"z", "a"});
  tool.fractions = {{"words", 0.5}, {"outer", 0.3}, {"inner", 0.4}};
  EXPECT_EQ(extended.begin(), std::make_tuple(std::string("a"), 1, 20));
  extended.end();
}

TEST_F(TunersTest, EachTrialIsAContextOfItsOwn) {
  auto problem = tools::make_multidimensional_sparse_tuning_problem(sparse, {"outer", "inner"});
  auto words   = tools::make_categorical_tuner("words", std::vector<std::string>{"a", "b", "c"});
  tools::SingleDimensionalRangeTuner<std::int64_t> integers("n", kokkos_value_ratio, 7, 1, 9, 2);
  tools::SingleDimensionalRangeTuner<double> reals("x", kokkos_value_interval, 0.5, 0.25, 1.0, 0.125);
  std::size_t trials   = 0;
  auto const one_trial = [&](auto& tuner) {
    (void)tuner.begin();
    tuner.end();
    ++trials;
  };
  for (int i = 0; i < 3; ++i) one_trial(problem), one_trial(words), one_trial(integers), one_trial(reals);
  EXPECT_EQ(tool.begun, tool.ended);
  std::set<std::size_t> const numbers(tool.begun.begin(), tool.begun.end());
  EXPECT_EQ(numbers.size(), trials);
}

// Of a variable that is not declared, there is no description.
TEST_F(TunersTest, AValueHasItsVariableAndNoMore) {
  constexpr std::size_t unknown = 123456;
  auto const integer            = tools::make_variable_value(unknown, std::int64_t(-5));
  auto const real               = tools::make_variable_value(unknown, 0.75);
  auto const text               = tools::make_variable_value(unknown, std::string("five"));
  for (auto const* value : {&integer, &real, &text}) {
    EXPECT_EQ(value->type_id, unknown);
    EXPECT_EQ(value->metadata, nullptr);
  }
  EXPECT_EQ(integer.value.int_value, -5);
  EXPECT_EQ(real.value.double_value, 0.75);
  EXPECT_STREQ(text.value.string_value, "five");
}

TEST_F(TunersTest, ADimensionInFront) {
  auto problem  = tools::make_multidimensional_sparse_tuning_problem(sparse, {"outer", "inner"});
  auto extended = problem.extend("words", std::vector<std::string>{"z", "a"});
  EXPECT_EQ(tool.names, (std::vector<std::string>{"outer", "inner", "words", "outer", "inner"}));
  EXPECT_EQ(extended.get_point(0.0, 0.9, 0.0), std::make_tuple(std::string("z"), 2, 40));
  EXPECT_EQ(extended.get_point(0.9, 0.0, 0.4), std::make_tuple(std::string("a"), 1, 20));
}

TEST_F(TunersTest, ProblemsThatCannotBe) {
  EXPECT_EQ(
      Kokkos::Testing::thrown_message(
          [] { (void)tools::make_multidimensional_sparse_tuning_problem(sparse, {"outer"}); }),
      "Kokkos::Tools: 1 names were given for a tuning problem with 2 dimensions. Give one for each dimension, from the "
      "outermost one.");
  auto empty = tools::make_multidimensional_sparse_tuning_problem(std::vector<int>{}, {"nothing"});
  Kokkos::Testing::expect_all(Kokkos::Testing::thrown_message([&] { (void)empty.begin(); }),
                              {"a dimension of a tuning problem has no values"});
}

TEST_F(TunersTest, ANumberInARange) {
  tools::SingleDimensionalRangeTuner<std::int64_t> tuner("n", kokkos_value_ratio, 7, 1, 9, 2);
  EXPECT_EQ(tool.infos[0].candidates.range.upper.int_value, 9);
  tool.number      = 5;
  std::int64_t got = 0;
  auto use         = [&](std::int64_t n) { got = n; };
  tuner.with_tuned_value(use);
  EXPECT_EQ(got, 5);
  EXPECT_EQ(tool.ended.size(), 1u);
  EXPECT_EQ(tool.begun, tool.ended);
  without_tool();
  EXPECT_EQ(tuner.begin(), 7);
  tuner.end();
  tools::SingleDimensionalRangeTuner<double> real("x", kokkos_value_interval, 0.5, 0.25, 1.0, 0.125);
  expect_declared(tool.infos[0], kokkos_value_int64, kokkos_value_ratio, kokkos_value_range);
  expect_declared(tool.infos[1], kokkos_value_double, kokkos_value_interval, kokkos_value_range);
  auto const& integers = tool.infos[0].candidates.range;
  EXPECT_TRUE(integers.lower.int_value == 1 && integers.upper.int_value == 9 && integers.step.int_value == 2);
  auto const& reals = tool.infos[1].candidates.range;
  EXPECT_TRUE(reals.lower.double_value == 0.25 && reals.upper.double_value == 1 && reals.step.double_value == 0.125);
  EXPECT_EQ(real.begin(), 0.5);
  real.end();
  EXPECT_EQ(tool.begun.size(), 3u);
  EXPECT_EQ(tool.begun, tool.ended) << "each trial is a context, with a tool that chooses and without";
}

TEST_F(TunersTest, OneOfSeveralObjects) {
  auto tuner  = tools::make_categorical_tuner("words", std::vector<std::string>{"a", "b", "c"});
  tool.number = 2;
  EXPECT_EQ(tuner.begin(), "c");
  tuner.end();
  EXPECT_EQ(tool.begun.size(), 1u);
  EXPECT_EQ(tool.begun, tool.ended);
  EXPECT_EQ(tool.infos[0].candidates.set.size, 3u);
  expect_declared(tool.infos[0], kokkos_value_int64, kokkos_value_categorical, kokkos_value_set);
  tool.number = 3;
  EXPECT_THROW((void)tuner.begin(), std::runtime_error);
  without_tool();
  EXPECT_EQ(tuner.begin(), "a");
}

// The tool may read the candidates after the call, whatever became of the caller's.
TEST_F(TunersTest, CandidatesAreCopied) {
  auto const declare = [](auto* candidates, Kokkos_Tools_VariableInfo_ValueType type) {
    tools::VariableInfo info = {};
    info.type                = type;
    info.category            = kokkos_value_categorical;
    info.valueQuantity       = kokkos_value_set;
    info.candidates          = tools::make_candidate_set(2, candidates);
    (void)tools::declare_output_type("candidates", info);
  };
  std::int64_t integers[] = {3, 4};
  double reals[]          = {0.5, 1.5};
  std::string words[]     = {"one", "two"};
  declare(integers, kokkos_value_int64);
  declare(reals, kokkos_value_double);
  declare(words, kokkos_value_string);
  integers[0] = integers[1] = 0;
  reals[0] = reals[1] = 0;
  ASSERT_EQ(tool.infos.size(), 3u);
  for (auto const& info : tool.infos) EXPECT_EQ(info.candidates.set.size, 2u);
  auto const& of = [](std::size_t i) -> auto const& { return tool.infos[i].candidates.set.values; };
  EXPECT_TRUE(of(0).int_value[0] == 3 && of(0).int_value[1] == 4);
  EXPECT_TRUE(of(1).double_value[0] == 0.5 && of(1).double_value[1] == 1.5);
  EXPECT_STREQ(of(2).string_value[0], "one");
  EXPECT_STREQ(of(2).string_value[1], "two");
}

template <class Space>
struct Nothing {
  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Space>::member_type const&) const {}
  KOKKOS_FUNCTION void operator()(int, int) const {}
  KOKKOS_FUNCTION void operator()(int) const {}
};

template <class Space>
void expect_a_team_that_can_run() {
  Kokkos::TeamPolicy<Space> const policy(2, Kokkos::AUTO, Kokkos::AUTO);
  tools::TeamSizeTuner tuner("team", policy, Nothing<Space>{}, Kokkos::ParallelForTag{});
  EXPECT_EQ(tool.names, (std::vector<std::string>{"team_vector_length", "team_team_size"}));
  for (double fraction : {0.0, 0.5, 0.999}) {
    tool.fraction    = fraction;
    auto const tuned = tuner.tune(policy);
    EXPECT_GE(tuned.team_size(), 1);
    EXPECT_GE(tuned.impl_vector_length(), 1);
    EXPECT_EQ(tuned.league_size(), 2);
    Kokkos::parallel_for("tuned", tuned, Nothing<Space>{});
    tuner.end();
  }
  // A size that the program specifies is not changed.
  Kokkos::TeamPolicy<Space> const fixed(2, 1, 1);
  tools::TeamSizeTuner same("fixed", fixed, Nothing<Space>{}, Kokkos::ParallelForTag{});
  EXPECT_EQ(same.tune(fixed).team_size(), 1);
  EXPECT_EQ(same.tune(fixed).impl_vector_length(), 1);
  Kokkos::fence();
}

/// Threads of a team times vector length, at most.
struct LimitOf {
  int work_items;
  template <class Policy, class Functor, class Tag>
  int get_max_team_size(Policy const& policy, Functor const&, Tag const&) const {
    return work_items / policy.impl_vector_length();
  }
};

/// Every pair of vector length and team size that the tuner of a policy offers.
template <class Policy>
std::set<std::pair<int, int>> offered(Policy const& policy, int limit) {
  tools::TeamSizeTuner const tuner("offered", policy, Nothing<typename Policy::execution_space>{},
                                   Kokkos::ParallelForTag{}, LimitOf{limit});
  constexpr int steps = 64;  // more than there are choices in a dimension
  std::set<std::pair<int, int>> all;
  for (int length = 0; length < steps; ++length)
    for (int size = 0; size < steps; ++size) {
      auto const [chosen_length, chosen_size] = tuner.get_point(length / double(steps), size / double(steps));
      all.emplace(static_cast<int>(chosen_length), static_cast<int>(chosen_size));
    }
  return all;
}

// All that can run, and no others: powers of two as vector lengths, and team sizes down from the maximum of each length.
template <class Space>
void expect_offers_within_the_limit() {
  using Policy       = Kokkos::TeamPolicy<Space>;
  int const longest  = Policy::vector_length_max();
  constexpr int most = 96;
  std::set<std::pair<int, int>> each, fixed;
  for (int length = longest; length >= 1; length /= 2) {
    for (int size = most / length; size >= 1; size /= 2) each.emplace(length, size);
    if (12 * length <= most) fixed.emplace(length, 12);
  }
  EXPECT_EQ(offered(Policy(2, Kokkos::AUTO, Kokkos::AUTO), most), each);
  EXPECT_EQ(offered(Policy(2, 12, Kokkos::AUTO), most), fixed);
  EXPECT_EQ(offered(Policy(2, Kokkos::AUTO, 1), 7), (std::set<std::pair<int, int>>{{1, 7}, {1, 3}, {1, 1}}));
  EXPECT_EQ(offered(Policy(2, 1, 1), 7), (std::set<std::pair<int, int>>{{1, 1}}));
}

template <class Space>
void expect_tiles_that_can_run() {
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  Policy const policy({0, 0}, {100, 30});
  tools::MDRangeTuner<2> tuner("md", policy, Nothing<Space>{}, Kokkos::ParallelForTag{});
  EXPECT_EQ(tool.names, (std::vector<std::string>{"md_tile_size_0", "md_tile_size_1"}));
  tool.fraction = 0.4;
  auto tuned    = tuner.tune(policy);
  EXPECT_EQ(tuned.m_prod_tile_dims, tuned.m_tile[0] * tuned.m_tile[1]);
  EXPECT_LE(tuned.m_prod_tile_dims, policy.max_total_tile_size());
  EXPECT_EQ(tuned.m_num_tiles, ((99 + tuned.m_tile[0]) / tuned.m_tile[0]) * ((29 + tuned.m_tile[1]) / tuned.m_tile[1]));
  EXPECT_NE(tuner.get_point(0.0, 0.0), tuner.get_point(0.4, 0.4));
  Kokkos::parallel_for("tuned", tuned, Nothing<Space>{});
  tuner.end();
  Kokkos::fence();
  Kokkos::RangePolicy<Space> const range(0, 10);
  tools::RangePolicyOccupancyTuner occupancy("occupancy", range, Nothing<Space>{}, Kokkos::ParallelForTag{});
  tool.number = 35;
  EXPECT_EQ(occupancy.tune(range).impl_occupancy().value(), 35);
  occupancy.end();
}

template <class Space>
class PolicyTunersTest : public TunersTest {};
TYPED_TEST_SUITE(PolicyTunersTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(PolicyTunersTest, ATeamThatCanRun) { expect_a_team_that_can_run<TypeParam>(); }
TYPED_TEST(PolicyTunersTest, EachTeamThatCanRunIsOffered) { expect_offers_within_the_limit<TypeParam>(); }
TYPED_TEST(PolicyTunersTest, TilesThatCanRun) { expect_tiles_that_can_run<TypeParam>(); }

}  // namespace
