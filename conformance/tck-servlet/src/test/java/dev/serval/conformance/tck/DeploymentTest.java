package dev.serval.conformance.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Deploys two archives as a class of the suite does, and asks for them.
@ExtendWith(ArquillianExtension.class)
@SuppressWarnings("NullAway.Init") // Arquillian sets the fields before each test.
final class DeploymentTest {
    @ArquillianResource
    @OperateOnDeployment("_DEFAULT_")
    private URL url;

    @ArquillianResource
    @OperateOnDeployment("second")
    private URL second;

    @Deployment(testable = false)
    static WebArchive shop() {
        return ShrinkWrap.create(WebArchive.class, "shop.war")
                .addAsWebResource(new StringAsset("from shop"), "hello.txt");
    }

    @Deployment(testable = false, name = "second")
    static WebArchive root() {
        return ShrinkWrap.create(WebArchive.class, "ROOT.war")
                .addAsWebResource(new StringAsset("from root"), "hello.txt");
    }

    @Test
    void mountsAnArchiveAtItsName() throws Exception {
        assertThat(url.getPath()).isEqualTo("/shop/");
        assertThat(get(url.toURI().resolve("hello.txt"))).isEqualTo("200 from shop");
        assertThat(get(url.toURI().resolve("absent.txt"))).isEqualTo("404 ");
    }

    @Test
    void mountsRootAtTheRoot() throws Exception {
        assertThat(second.getPath()).isEqualTo("/");
        assertThat(get(second.toURI().resolve("hello.txt"))).isEqualTo("200 from root");
    }

    private static String get(URI uri) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }
    }
}
