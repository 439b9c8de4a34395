package dev.serval.examples.shop.cover;

import java.util.List;

/// The colours of a cover.
///
/// @param ground behind everything
/// @param shade the larger shapes
/// @param light the smaller shapes
/// @param ink the letters
record Palette(String ground, String shade, String light, String ink) {
    static final List<Palette> ALL =
            List.of(
                    new Palette("#1f3a4d", "#2f5d78", "#e0b15a", "#f6efe0"),
                    new Palette("#7a2e2a", "#a0443c", "#f0c38e", "#fbf1e3"),
                    new Palette("#f2e3c6", "#dba65a", "#8c3b2e", "#3a241c"),
                    new Palette("#25443a", "#3d6b58", "#d9c77e", "#f3f0df"),
                    new Palette("#e8ddd0", "#b7a48d", "#34586b", "#22323b"),
                    new Palette("#3b2b4f", "#5c4579", "#e79a78", "#f5ebe4"),
                    new Palette("#d96a3b", "#e88f5f", "#20303f", "#fff6ea"),
                    new Palette("#dfe7e3", "#9dbcb0", "#c2543f", "#1f3730"),
                    new Palette("#16202b", "#2a3b4d", "#c7d6df", "#eef3f5"),
                    new Palette("#c9a227", "#dcbf5b", "#3a2f14", "#2b220c"),
                    new Palette("#b8cfdc", "#8fb0c4", "#f4f1e6", "#1c3342"),
                    new Palette("#5b6b3a", "#7d8f53", "#eadfb4", "#f8f4e2"));
}
