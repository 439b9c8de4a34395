package dev.serval.examples.shop.cover;

import java.util.Random;

/// What a cover shows. Each motif draws shapes into an area of 240 by 360 units; its lower half is
/// free for the title.
enum Motif {
    /// A disk over horizontal lines.
    SUN {
        @Override
        void draw(Random random, Palette palette, int detail, StringBuilder to) {
            int x = 70 + random.nextInt(100);
            int y = 70 + random.nextInt(50);
            circle(to, x, y, 44 + random.nextInt(16), palette.light());
            for (int i = 0; i < 3 * detail; i++) {
                int line = 128 + i * 66 / (3 * detail);
                path(
                        to,
                        "M12 " + line + "q57 " + (random.nextInt(13) - 6) + " 114 0t114 0",
                        palette.shade(),
                        7.0 / detail);
            }
        }
    },
    /// Mountains behind each other.
    PEAKS {
        @Override
        void draw(Random random, Palette palette, int detail, StringBuilder to) {
            circle(to, 50 + random.nextInt(140), 60, 16 + random.nextInt(10), palette.light());
            for (int range = 0; range < 1 + detail; range++) {
                StringBuilder line = new StringBuilder("M12 196");
                for (int x = 12; x <= 240; x += 76 / detail) {
                    line.append('L').append(x).append(' ');
                    line.append(90 + range * 60 / detail + random.nextInt(44));
                }
                to.append("<path d=\"").append(line).append("L240 196z\" fill=\"");
                to.append(range % 2 == 0 ? palette.shade() : palette.light());
                to.append("\" opacity=\".7\"/>");
            }
        }
    },
    /// Rings around one centre.
    RINGS {
        @Override
        void draw(Random random, Palette palette, int detail, StringBuilder to) {
            int x = 60 + random.nextInt(120);
            int y = 80 + random.nextInt(50);
            int rings = 4 * detail;
            for (int i = 1; i <= rings; i++) {
                to.append("<circle cx=\"").append(x).append("\" cy=\"").append(y);
                to.append("\" r=\"").append(i * 96 / rings).append("\" fill=\"none\" stroke=\"");
                to.append(i % 3 == 0 ? palette.light() : palette.shade());
                to.append("\" stroke-width=\"").append(10 / detail).append("\"/>");
            }
        }
    },
    /// Tiles of quarter circles.
    TILES {
        @Override
        void draw(Random random, Palette palette, int detail, StringBuilder to) {
            int size = 76 / detail;
            for (int x = 12; x + size <= 240; x += size) {
                for (int y = 24; y + size <= 200; y += size) {
                    int turn = 90 * random.nextInt(4);
                    to.append("<path d=\"M0 0h").append(size).append('a').append(size).append(' ');
                    to.append(size).append(" 0 0 1-").append(size).append(' ').append(size);
                    to.append("z\" transform=\"translate(").append(x).append(' ').append(y);
                    to.append(")rotate(").append(turn).append(' ').append(size / 2).append(' ');
                    to.append(size / 2).append(")\" fill=\"");
                    to.append(random.nextInt(3) == 0 ? palette.light() : palette.shade());
                    to.append("\"/>");
                }
            }
        }
    },
    /// A branch with leaves.
    LEAVES {
        @Override
        void draw(Random random, Palette palette, int detail, StringBuilder to) {
            int lean = random.nextInt(61) - 30;
            path(to, "M126 204Q" + (126 + lean) + " 120 126 28", palette.light(), 3);
            int leaves = 5 * detail;
            for (int i = 0; i < leaves; i++) {
                int y = 40 + i * 140 / leaves;
                int side = i % 2 == 0 ? 1 : -1;
                int length = 40 + random.nextInt(30);
                to.append("<path d=\"M126 ").append(y).append('q').append(side * length / 2);
                to.append(" -34 ").append(side * length).append(" -6q").append(-side * length / 2);
                to.append(" 30 ").append(-side * length).append(" 6z\" fill=\"");
                to.append(random.nextInt(4) == 0 ? palette.light() : palette.shade());
                to.append("\"/>");
            }
        }
    },
    /// Windows in rows, some of them lit.
    WINDOWS {
        @Override
        void draw(Random random, Palette palette, int detail, StringBuilder to) {
            int columns = 3 + detail;
            int step = 204 / columns;
            for (int x = 0; x < columns; x++) {
                for (int y = 0; y < columns - 1; y++) {
                    to.append("<rect x=\"").append(24 + x * step).append("\" y=\"");
                    to.append(28 + y * step).append("\" width=\"").append(step * 2 / 3);
                    to.append("\" height=\"").append(step * 3 / 4).append("\" fill=\"");
                    to.append(random.nextInt(4) == 0 ? palette.light() : palette.shade());
                    to.append("\"/>");
                }
            }
        }
    };

    /// Draws the motif.
    ///
    /// @param detail 1 for a small picture, more for finer shapes
    abstract void draw(Random random, Palette palette, int detail, StringBuilder to);

    private static void circle(StringBuilder to, int x, int y, int radius, String colour) {
        to.append("<circle cx=\"").append(x).append("\" cy=\"").append(y).append("\" r=\"");
        to.append(radius).append("\" fill=\"").append(colour).append("\"/>");
    }

    private static void path(StringBuilder to, String line, String colour, double width) {
        to.append("<path d=\"").append(line).append("\" fill=\"none\" stroke=\"").append(colour);
        to.append("\" stroke-width=\"").append(width).append("\"/>");
    }
}
