// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_SCENE_HPP
#define CONV2D_SCENE_HPP

/// \file
/// A picture for users who have none at hand.

#include "Picture.hpp"

/// Coloured spheres on a chequered floor, rendered in parallel on the default execution space.
Picture render_scene(int width, int height);

#endif
