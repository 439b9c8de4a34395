package dev.serval.servlet.login;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The field Authorization of DIGEST (RFC 7616 §3.4).
final class DigestResponseTest {
    private static final String EXAMPLE =
            "Digest username=\"Mufasa\", realm=\"http-auth@example.org\","
                    + " uri=\"/dir/index.html\", algorithm=SHA-256,"
                    + " nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", nc=00000001,"
                    + " cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", qop=auth,"
                    + " response=\"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1\","
                    + " opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";

    /// The vectors of RFC 7616 §3.9.1.
    @ParameterizedTest
    @EnumSource(DigestAlgorithm.class)
    void computesTheVectorsOfTheRfc(DigestAlgorithm algorithm) {
        @Nullable DigestResponse sent = DigestResponse.parse(EXAMPLE);
        assertThat(sent).isNotNull();
        String secret = algorithm.hash("Mufasa:http-auth@example.org:Circle of Life");
        String expected =
                switch (algorithm) {
                    case SHA_256 ->
                            "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1";
                    case MD5 -> "8ca523f5e9506fed4657c9700eebdbec";
                };
        assertThat(sent == null ? "" : sent.expected(algorithm, secret, "GET")).isEqualTo(expected);
    }

    @Test
    void readsAllParts() {
        assertThat(DigestResponse.parse(EXAMPLE))
                .isEqualTo(
                        new DigestResponse(
                                "Mufasa",
                                "http-auth@example.org",
                                "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
                                "/dir/index.html",
                                "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
                                "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
                                "00000001",
                                1,
                                "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"));
    }

    @Test
    void readsNamesOutsideOfAscii() {
        String extended =
                EXAMPLE.replace("username=\"Mufasa\"", "username*=UTF-8''J%C3%A4s%C3%B8n");
        @Nullable DigestResponse sent = DigestResponse.parse(extended);
        assertThat(sent == null ? "" : sent.name()).isEqualTo("Jäsøn");
        // As the engine reads the bytes of a field: ISO-8859-1.
        @Nullable DigestResponse plain =
                DigestResponse.parse(EXAMPLE.replace("Mufasa", "J\u00c3\u00a4s\u00c3\u00b8n"));
        assertThat(plain == null ? "" : plain.name()).isEqualTo("Jäsøn");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "algorithm=SHA-256=>algorithm=MD5",
                "algorithm=SHA-256=>algorithm=SHA-256-sess",
                ", algorithm=SHA-256=>",
                "qop=auth=>qop=auth-int",
                ", qop=auth=>",
                "nc=00000001=>nc=1",
                "nc=00000001=>nc=0000000g",
                "nc=00000001=>nc=000000001",
                ", nc=00000001=>",
                "username=\"Mufasa\"=>username=\"Mufasa\", username=\"Eve\"",
                "username=\"Mufasa\"=>username=\"Mufasa\", username*=UTF-8''Eve",
                "username=\"Mufasa\"=>username*=UTF-8''E%v",
                "username=\"Mufasa\"=>username*=UTF-8''%ff",
                "username=\"Mufasa\"=>username*=latin1''Eve",
                "username=\"Mufasa\", =>",
                "qop=auth=>qop=auth, userhash=true",
                "Digest =>Digest",
                "Digest =>Basic ",
                "\"/dir/index.html\"=>\"/dir/index.html",
                "algorithm=SHA-256,=>algorithm=SHA-256",
            })
    void refusesOtherwise(String change) {
        String[] parts = change.split("=>", 2);
        assertThat(EXAMPLE).contains(parts[0]);
        assertThat(DigestResponse.parse(EXAMPLE.replace(parts[0], parts[1]))).isNull();
    }

    @Test
    void boundsTheParameters() {
        assertThat(AuthParameters.parse("Digest " + "a=b,".repeat(2), "Digest")).isNull();
        StringBuilder many = new StringBuilder("Digest ");
        for (int i = 0; i < 33; i++) {
            many.append('p').append(i).append("=x, ");
        }
        assertThat(AuthParameters.parse(many.toString(), "Digest")).isNull();
    }
}
