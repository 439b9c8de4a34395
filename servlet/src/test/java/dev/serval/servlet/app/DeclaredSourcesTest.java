package dev.serval.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.serval.servlet.database.DatabaseSettings;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.NamingDescription;
import dev.serval.servlet.descriptor.Origin;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the factory of data sources gets from declarations and from the server.
final class DeclaredSourcesTest {
    private final List<DatabaseSettings> asked = new ArrayList<>();

    private DataSource opened(DatabaseSettings settings) {
        asked.add(settings);
        return (DataSource)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (_, _, _) -> null);
    }

    private Map<String, Object> open(
            Map<String, String> values, List<DatabaseSettings> given, String name)
            throws DescriptorException {
        NamingDescription.Reference declared =
                new NamingDescription.Reference(
                        "data-source", name, values, List.of(), new Origin("web.xml", 3, 1));
        return new DeclaredSources((settings, _) -> opened(settings), given)
                .open(
                        new NamingDescription(List.of(), List.of(declared), List.of(), List.of()),
                        getClass().getClassLoader(),
                        new ArrayList<>());
    }

    @Test
    void placeIsInThePropertiesWithoutAUrl() throws DescriptorException {
        Map<String, String> values =
                Map.of(
                        "class-name", "com.acme.Source",
                        "server-name", "db",
                        "port-number", "5",
                        "database-name", "shop",
                        "isolation-level", "TRANSACTION_SERIALIZABLE",
                        "property ssl", "true");
        assertThat(open(values, List.of(), "java:comp/env/jdbc/a")).containsOnlyKeys("jdbc/a");
        DatabaseSettings settings = asked.getFirst();
        assertThat(settings.properties())
                .containsOnly(
                        entry("serverName", "db"),
                        entry("portNumber", "5"),
                        entry("databaseName", "shop"),
                        entry("ssl", "true"));
        assertThat(settings.isolation()).isEqualTo("TRANSACTION_SERIALIZABLE");
    }

    @Test
    void urlReplacesThePlace() throws DescriptorException {
        Map<String, String> values =
                Map.of("url", "jdbc:x", "server-name", "db", "property ssl", "true");
        assertThat(open(values, List.of(), "jdbc/a")).containsOnlyKeys("jdbc/a");
        assertThat(asked.getFirst().properties()).containsOnly(entry("ssl", "true"));
        assertThat(asked.getFirst().connectionsMax()).isEqualTo(-1);
    }

    @Test
    void serversChoiceOfANameIsTheOnlyOneOpened() throws DescriptorException {
        DatabaseSettings given = DatabaseSettings.of("jdbc/a", "jdbc:given");
        Map<String, Object> sources =
                open(Map.of("url", "jdbc:own"), List.of(given), "java:comp/env/jdbc/a");
        assertThat(sources).containsOnlyKeys("jdbc/a");
        assertThat(asked).containsExactly(given);
    }

    @ParameterizedTest
    @CsvSource({
        "isolation-level, SERIALIZABLE, TRANSACTION_SERIALIZABLE",
        "max-pool-size, many, Write a number",
        "max-pool-size, -2, Write a number"
    })
    void wrongValueIsRefusedWithItsPlace(String element, String value, String remedy) {
        assertThatThrownBy(() -> open(Map.of("url", "jdbc:x", element, value), List.of(), "a"))
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("web.xml:3")
                .hasMessageContaining("<" + element + ">")
                .hasMessageContaining(remedy);
    }
}
