// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scene.hpp"

#include <Kokkos_Core.hpp>

namespace {

struct Vec {
  float x, y, z;
  KOKKOS_FUNCTION friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  KOKKOS_FUNCTION friend Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  KOKKOS_FUNCTION friend Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
  KOKKOS_FUNCTION friend Vec operator*(Vec a, Vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
};
KOKKOS_FUNCTION float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KOKKOS_FUNCTION Vec unit(Vec a) { return a * (1 / Kokkos::sqrt(dot(a, a))); }
KOKKOS_FUNCTION Vec mix(Vec a, Vec b, float t) { return a * (1 - t) + b * t; }
KOKKOS_FUNCTION float clamp01(float v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

struct Sphere {
  Vec centre;
  float radius;
  Vec colour;
  float mirror;   // share of light that is reflected
  float stripes;  // stripes per unit of height; 0: none
};

struct Hit {
  float distance;
  Vec point, normal, colour;
  float mirror;
};

constexpr int sphere_count = 6;

struct Scene {
  Sphere spheres[sphere_count] = {{{-1.6f, 0.9f, 0.4f}, 0.9f, {0.85f, 0.20f, 0.16f}, 0.25f, 0},
                                  {{0.5f, 1.1f, 1.3f}, 1.1f, {0.90f, 0.90f, 0.93f}, 0.65f, 0},
                                  {{2.3f, 0.7f, 0.0f}, 0.7f, {0.13f, 0.42f, 0.80f}, 0.20f, 9},
                                  {{0.1f, 0.42f, -0.9f}, 0.42f, {0.98f, 0.75f, 0.12f}, 0.15f, 0},
                                  {{-0.75f, 0.3f, -1.35f}, 0.3f, {0.20f, 0.65f, 0.30f}, 0.15f, 14},
                                  {{1.25f, 0.28f, -1.4f}, 0.28f, {0.60f, 0.25f, 0.70f}, 0.25f, 0}};
  Vec light                    = {-0.55f, 0.75f, -0.45f};

  KOKKOS_FUNCTION static float meet(Sphere const& s, Vec from, Vec direction) {
    Vec const to     = s.centre - from;
    float const b    = dot(to, direction);
    float const root = b * b - dot(to, to) + s.radius * s.radius;
    if (root < 0) return -1;
    return b - Kokkos::sqrt(root);
  }

  KOKKOS_FUNCTION bool hit(Vec from, Vec direction, Hit& h) const {
    h.distance = 1e9f;
    if (direction.y < -1e-4f) {
      h.distance      = -from.y / direction.y;
      h.point         = from + direction * h.distance;
      h.normal        = {0, 1, 0};
      bool const dark = (int(Kokkos::floor(h.point.x)) + int(Kokkos::floor(h.point.z))) & 1;
      h.colour        = dark ? Vec{0.16f, 0.17f, 0.20f} : Vec{0.82f, 0.80f, 0.76f};
      h.mirror        = 0.12f;
    }
    for (Sphere const& s : spheres) {
      float const t = meet(s, from, direction);
      if (t < 1e-3f || t >= h.distance) continue;
      h.distance = t;
      h.point    = from + direction * t;
      h.normal   = unit(h.point - s.centre);
      h.mirror   = s.mirror;
      h.colour   = s.colour;
      if (s.stripes > 0 && int(Kokkos::floor(h.point.y * s.stripes + h.point.x * s.stripes * 0.4f)) & 1) {
        h.colour = mix(h.colour, Vec{1, 1, 1}, 0.75f);
      }
    }
    return h.distance < 1e8f;
  }

  KOKKOS_FUNCTION Vec sky(Vec direction) const {
    Vec const base  = mix(Vec{0.93f, 0.86f, 0.78f}, Vec{0.24f, 0.46f, 0.78f}, Kokkos::sqrt(clamp01(direction.y)));
    float const sun = clamp01(dot(direction, unit(light)));
    return base + Vec{1, 0.9f, 0.7f} * Kokkos::pow(sun, 300.0f);
  }

  KOKKOS_FUNCTION Vec shade(Vec from, Vec direction) const {
    Vec result{0, 0, 0};
    float share = 1;
    for (int bounce = 0; bounce < 4; ++bounce) {
      Hit h{};
      if (!hit(from, direction, h)) return result + sky(direction) * share;
      Vec const to_light = unit(light);
      Hit ignored{};
      float const lit  = hit(h.point + h.normal * 2e-3f, to_light, ignored) ? 0 : clamp01(dot(h.normal, to_light));
      float const fill = 0.30f + 0.15f * h.normal.y;
      Vec colour       = h.colour * (fill + 0.80f * lit);
      // With distance, the floor's pattern fades into the horizon.
      float const haze = h.normal.y > 0.999f ? clamp01((h.distance - 6) / 22) : 0;
      colour           = mix(colour, sky(Vec{direction.x, 0, direction.z}), haze);
      result           = result + colour * (share * (1 - h.mirror));
      share *= h.mirror * (1 - haze);
      from      = h.point + h.normal * 2e-3f;
      direction = direction - h.normal * (2 * dot(direction, h.normal));
      if (share < 0.02f) break;
    }
    return result;
  }
};

}  // namespace

Picture render_scene(int width, int height) {
  Kokkos::View<std::uint8_t***, Kokkos::LayoutRight> pixels("rendered picture", height, width, 3);
  Scene const scene;
  Vec const eye{0.2f, 1.75f, -6.2f};
  using Pixels = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      "render", Pixels({0, 0}, {height, width}), KOKKOS_LAMBDA(int row, int column) {
        Vec sum{0, 0, 0};
        constexpr int samples = 3;  // along each side of the pixel
        for (int sample = 0; sample < samples * samples; ++sample) {
          float const u = (column + (sample % samples + 0.5f) / samples - 0.5f * width) / width;
          float const v = (0.5f * height - row - (sample / samples + 0.5f) / samples) / width;
          sum           = sum + scene.shade(eye, unit(Vec{u, v - 0.12f, 1.05f}));
        }
        sum                    = sum * (1.0f / (samples * samples));
        pixels(row, column, 0) = std::uint8_t(255 * Kokkos::pow(clamp01(sum.x), 1 / 1.35f) + 0.5f);
        pixels(row, column, 1) = std::uint8_t(255 * Kokkos::pow(clamp01(sum.y), 1 / 1.35f) + 0.5f);
        pixels(row, column, 2) = std::uint8_t(255 * Kokkos::pow(clamp01(sum.z), 1 / 1.35f) + 0.5f);
      });
  Picture picture(width, height, 3);
  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pixels);
  for (std::size_t i = 0; i < picture.samples.size(); ++i) picture.samples[i] = on_host.data()[i];
  return picture;
}
