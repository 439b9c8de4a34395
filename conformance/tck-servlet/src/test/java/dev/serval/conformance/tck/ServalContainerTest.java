package dev.serval.conformance.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jboss.arquillian.container.spi.ConfigurationException;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ServalContainerTest {
    private final ServalContainer container = new ServalContainer();

    @BeforeEach
    void start() throws Exception {
        container.setup(configuration(BareServer.class.getName()));
        container.start();
    }

    @AfterEach
    void stop() throws Exception {
        container.stop();
    }

    @Test
    void throwsIfTheApplicationDoesNotStart() {
        WebArchive refused =
                ShrinkWrap.create(WebArchive.class, "bad.war")
                        .addAsWebInfResource(new StringAsset(""), "refused");
        assertThatThrownBy(() -> container.deploy(refused))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("bad.war")
                .hasMessageContaining("the application refuses to start");
    }

    @Test
    void ignoresTheRemovalOfWhatWasNotDeployed() throws Exception {
        container.undeploy(ShrinkWrap.create(WebArchive.class, "never.war"));
    }

    @Test
    void deploysTheSameNameAgainAfterItsRemoval() throws Exception {
        WebArchive archive =
                ShrinkWrap.create(WebArchive.class, "again.war")
                        .addAsWebResource(new StringAsset("text"), "a.txt");
        container.deploy(archive);
        container.undeploy(archive);
        container.deploy(archive);
        container.undeploy(archive);
    }

    @Test
    void takesTheContextPathFromTheName() {
        assertThat(ServalContainer.contextPath("a_b.war")).isEqualTo("/a_b");
        assertThat(ServalContainer.contextPath("ROOT.war")).isEmpty();
    }

    @Test
    void refusesAConfigurationWithoutServer() {
        assertThatThrownBy(() -> new ServalContainerConfiguration().validate())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no property \"server\"");
    }

    @Test
    void refusesAServerOfAnotherType() {
        ServalContainerConfiguration configuration = configuration("java.lang.String");
        assertThatThrownBy(configuration::validate)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("java.lang.String");
    }

    private static ServalContainerConfiguration configuration(String server) {
        ServalContainerConfiguration configuration = new ServalContainerConfiguration();
        configuration.setServer(server);
        return configuration;
    }
}
