package dev.serval.examples.shop.sample;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Invents names, titles and sentences.
final class Vocabulary {
    private static final List<String> GIVEN =
            words(
                    "Ada Amir Anouk Aroha Beatriz Bo Carla Chidi Clara Dana Darius Eira Elif Emil Esra"
                            + " Farid Fenna Greta Hana Hugo Ilse Imani Ines Ivo Jana Joon Kaja Kwame Lale"
                            + " Lena Linus Maia Malik Mina Nadia Nils Nora Oda Omar Paula Petr Quinn Rafa"
                            + " Rosa Runa Samir Sena Silvan Tamar Teo Thea Uma Vera Viktor Wanda Yara"
                            + " Yusuf Zoë Zora Åse");
    private static final List<String> FAMILY_BEGIN =
            words(
                    "Ash Bell Birk Brook Carr Dahl Elm Fair Fern Glas Hart Haver Holm Kest Lang Lind"
                            + " Mar Mill Nor Oak Penn Quill Rav Ross Sand Stein Tarn Thorn Vald West Win"
                            + " Yar");
    private static final List<String> FAMILY_END =
            words(
                    "berg bury croft dale en ford gaard er hurst ley low man mann more ner quist son"
                            + " stad stow strand ton wick wood worth");
    private static final List<String> ADJECTIVES =
            words(
                    "Quiet Hidden Crooked Golden Patient Last Silver Hollow Distant Borrowed Restless"
                            + " Small Broken Invisible Northern Salt Winter Unwritten Secret Bright"
                            + " Wandering Slow Blue Lost Careful Ordinary Impossible Second Perfect"
                            + " Forgotten Wild Glass Paper Iron Curious Honest Stubborn Tall Velvet"
                            + " Midnight");
    private static final List<String> NOUNS =
            words(
                    "Garden Harbour Lantern River Orchard Clockmaker Atlas Kitchen Forest Mountain"
                            + " Letter Island Library Bridge Cat Lighthouse Meadow Market Compass Violin"
                            + " Window Storm Tower Cartographer Beekeeper Road Valley Engine Night Mirror"
                            + " Ferry Piano Desert Astronomer Baker Winter Machine Sparrow Tide Table"
                            + " Ladder Archive Thread Hour Station Teacher Moon Stone Cloud Neighbour");
    private static final List<String> PLACES =
            words(
                    "Arden Belmora Caldria Dunmere Esterhaven Fennmark Galway Halden Istra Jorvik"
                            + " Kestrel Lowmoor Marrow Nimes Ostrava Pellworm Quarrel Rosmere Skerry"
                            + " Tamsin Umbria Valdres Westray Yarrow Zeeland");
    private static final List<String> PRESSES =
            List.of(
                    "Tufted Press",
                    "Grassland & Daughters",
                    "Two Ears Editions",
                    "Long Shadow Books",
                    "Nine Spots",
                    "Reed & Rill",
                    "The Paper Savanna",
                    "Leap House");
    private static final List<String> VERBS =
            words(
                    "explains follows questions remembers celebrates untangles describes rediscovers"
                            + " defends collects compares paints");
    private static final List<String> READERS =
            List.of(
                    "anyone who has ever missed a train",
                    "beginners and those who would like to be beginners again",
                    "long evenings",
                    "readers who look at the notes first",
                    "people with more questions than shelves",
                    "a weekend without plans",
                    "those who think they know it already",
                    "the curious of every age");

    private final Random random;

    Vocabulary(Random random) {
        this.random = random;
    }

    private static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }

    private String any(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    String givenName() {
        return any(GIVEN);
    }

    String familyName() {
        return any(FAMILY_BEGIN) + any(FAMILY_END);
    }

    String place() {
        return any(PLACES);
    }

    String press() {
        return any(PRESSES);
    }

    String street() {
        return any(ADJECTIVES) + " " + any(NOUNS) + " Street " + (1 + random.nextInt(199));
    }

    /// Returns the title of a book.
    String title(String subject) {
        return switch (random.nextInt(12)) {
            case 0 -> "The " + any(ADJECTIVES) + " " + any(NOUNS);
            case 1 -> "A" + n(any(NOUNS)) + " in " + any(PLACES);
            case 2 -> "The " + any(NOUNS) + " and the " + any(NOUNS);
            case 3 -> "Notes from a" + n(any(ADJECTIVES)) + " " + any(NOUNS);
            case 4 -> subject + " for " + any(ADJECTIVES) + " Days";
            case 5 -> "The " + any(NOUNS) + " of " + any(PLACES);
            case 6 -> "How to Keep a" + n(any(ADJECTIVES)) + " " + any(NOUNS);
            case 7 -> any(ADJECTIVES) + " " + subject;
            case 8 -> "What the " + any(NOUNS) + " Knew";
            case 9 -> any(NOUNS) + ", " + any(NOUNS) + ", " + any(NOUNS);
            case 10 -> "A Short History of the " + any(ADJECTIVES) + " " + any(NOUNS);
            default -> "Under the " + any(NOUNS);
        };
    }

    /// Returns what the shop says about a book.
    String description(String title, String author, String subject) {
        String given = author.substring(0, author.indexOf(' '));
        return "In “"
                + title
                + "”, "
                + author
                + " "
                + any(VERBS)
                + " the "
                + lower(any(ADJECTIVES))
                + " side of "
                + subject.toLowerCase(Locale.ROOT)
                + ". It begins with a"
                + lower(n(any(NOUNS)))
                + " in "
                + any(PLACES)
                + " and ends, many "
                + lower(any(NOUNS))
                + "s later, where no reader expects it. "
                + given
                + " "
                + any(VERBS)
                + " every "
                + lower(any(NOUNS))
                + " on the way with patience and humour. A book for "
                + any(READERS)
                + ".";
    }

    /// Returns what the shop says about an author.
    String about(String name) {
        return name
                + " was born in "
                + any(PLACES)
                + ", has been a"
                + lower(n(any(NOUNS)))
                + " keeper and a teacher, and lives with "
                + (2 + random.nextInt(5))
                + " cats in "
                + any(PLACES)
                + ".";
    }

    /// Returns what follows the "a" of an article: the rest of the article, and the word.
    private static String n(String word) {
        return (word.matches("[AEIOU].*|Hour|Honest") ? "n " : " ") + word;
    }

    private static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }
}
