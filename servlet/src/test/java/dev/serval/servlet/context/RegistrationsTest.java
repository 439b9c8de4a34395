package dev.serval.servlet.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.descriptor.ServletDraft;
import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.RunAs;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Registration by code: Servlet 6.1 §4.4.1 and §4.4.2.
final class RegistrationsTest {
    static final class Plain extends GenericServlet {
        private static final long serialVersionUID = 1;

        public Plain() {}

        @Override
        public void service(ServletRequest request, ServletResponse response) {}
    }

    @MultipartConfig(location = "up", maxFileSize = 10)
    @RunAs("robot")
    @DeclareRoles({"reader", "writer"})
    @ServletSecurity
    static final class Annotated extends GenericServlet {
        private static final long serialVersionUID = 1;

        public Annotated() {}

        @Override
        public void service(ServletRequest request, ServletResponse response) {}
    }

    static final class Pass implements Filter {
        public Pass() {}

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {}
    }

    private final TestApp app = new TestApp();
    private final AppContext context = app.context();

    private ServletRegistration.Dynamic add(String name) {
        return Objects.requireNonNull(context.addServlet(name, Plain.class));
    }

    private FilterRegistration.Dynamic addFilter(String name) {
        return Objects.requireNonNull(context.addFilter(name, Pass.class));
    }

    @Test
    void registersServletsOfEveryForm() throws Exception {
        assertThat(context.addServlet("name", Plain.class.getName())).isNotNull();
        assertThat(context.addServlet("class", Plain.class)).isNotNull();
        assertThat(context.addServlet("instance", new Plain())).isNotNull();
        assertThat(context.addJspFile("jsp", "/a.jsp")).isNotNull();
        assertThat(context.getServletRegistrations().keySet())
                .containsExactly("name", "class", "instance", "jsp");
        for (String name : List.of("name", "class", "instance")) {
            ServletRegistration found = context.getServletRegistration(name);
            assertThat(Objects.requireNonNull(found).getName()).isEqualTo(name);
            assertThat(found.getClassName()).isEqualTo(Plain.class.getName());
        }
        assertThat(context.getServletRegistration("none")).isNull();
        assertThat(app.start().servlets())
                .extracting(ServletDescription::name)
                .containsExactly("name", "class", "instance", "jsp");
    }

    @Test
    void completeNamesAndKnownInstancesGiveNull() {
        Plain plain = new Plain();
        Pass pass = new Pass();
        app.servlet("declared", new Component.Named("com.example.A"));
        app.filter("declared", new Component.Named("com.example.B"));
        assertThat(context.addServlet("a", plain)).isNotNull();
        assertThat(context.addServlet("b", plain)).isNull();
        assertThat(context.addServlet("a", Plain.class)).isNull();
        assertThat(context.addServlet("declared", Plain.class.getName())).isNull();
        assertThat(context.addJspFile("declared", "/a.jsp")).isNull();
        assertThat(context.addFilter("a", pass)).isNotNull();
        assertThat(context.addFilter("b", pass)).isNull();
        assertThat(context.addFilter("a", Pass.class)).isNull();
        assertThat(context.addFilter("declared", Pass.class.getName())).isNull();
        assertThat(context.getServletRegistration("b")).isNull();
        assertThat(context.getFilterRegistration("b")).isNull();
    }

    @Test
    void completesPreliminaryRegistrations() {
        app.draft.servlet("s", TestApp.WEB_XML).initParams().put("a", "1");
        app.draft.filter("f", TestApp.WEB_XML).initParams().put("a", "1");
        ServletRegistration early = context.getServletRegistration("s");
        assertThat(Objects.requireNonNull(early).getClassName()).isNull();
        ServletRegistration.@Nullable Dynamic servlet = context.addServlet("s", Plain.class);
        assertThat(Objects.requireNonNull(servlet).getInitParameter("a")).isEqualTo("1");
        assertThat(early.getClassName()).isEqualTo(Plain.class.getName());
        FilterRegistration.@Nullable Dynamic filter = context.addFilter("f", Pass.class);
        assertThat(Objects.requireNonNull(filter).getInitParameter("a")).isEqualTo("1");
    }

    @Test
    void refusesEmptyNames() {
        for (Runnable add :
                List.<Runnable>of(
                        () -> context.addServlet("", Plain.class),
                        () -> context.addServlet(nothing(), Plain.class.getName()),
                        () -> context.addJspFile("", "/a.jsp"),
                        () -> context.addJspFile(nothing(), "/a.jsp"),
                        () -> context.addJspFile("j", "a.jsp"),
                        () -> context.addFilter("", new Pass()),
                        () -> context.addFilter(nothing(), Pass.class))) {
            assertThatThrownBy(add::run).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void takesNoPatternIfOneIsTaken() {
        add("a").addMapping("/x", "/y");
        ServletRegistration.Dynamic b = add("b");
        assertThat(b.addMapping("/z", "/y", "/x")).containsExactlyInAnyOrder("/x", "/y");
        assertThat(b.getMappings()).isEmpty();
        assertThat(b.addMapping("/z", "")).isEmpty();
        assertThat(b.addMapping("/z", "*.do")).isEmpty();
        assertThat(b.getMappings()).containsExactly("/z", "", "*.do");
    }

    @Test
    void takesAPatternThatTheContainerLends() {
        ServletDraft pages = app.draft.servlet("jsp", TestApp.WEB_XML);
        app.draft.lend("*.jsp", pages);
        app.draft.lend("*.jspx", pages);
        ServletRegistration.Dynamic own = add("own");
        assertThat(own.addMapping("*.jsp", "*.view")).isEmpty();
        assertThat(own.getMappings()).containsExactly("*.jsp", "*.view");
        assertThat(pages.urlPatterns()).containsExactly("*.jspx");
        assertThat(add("third").addMapping("*.jsp")).containsExactly("*.jsp");
    }

    @Test
    void patternThatTheApplicationGivesTheContainerIsTaken() {
        ServletDraft pages = app.draft.servlet("jsp", TestApp.WEB_XML);
        app.draft.lend("*.jsp", pages);
        assertThat(app.draft.map("*.jsp", pages)).isNull();
        assertThat(add("own").addMapping("*.jsp")).containsExactly("*.jsp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "*", "*.", "*.a/b", "http://a"})
    void refusesWrongPatterns(String pattern) {
        ServletRegistration.Dynamic servlet = add("a");
        FilterRegistration.Dynamic filter = addFilter("f");
        assertThatThrownBy(() -> servlet.addMapping("/ok", pattern))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> filter.addMappingForUrlPatterns(null, true, "/ok", pattern))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(servlet.getMappings()).isEmpty();
        assertThat(filter.getUrlPatternMappings()).isEmpty();
    }

    @Test
    void refusesEmptyMappings() {
        ServletRegistration.Dynamic servlet = add("a");
        FilterRegistration.Dynamic filter = addFilter("f");
        for (Runnable map :
                List.<Runnable>of(
                        servlet::addMapping,
                        () -> servlet.addMapping((String[]) nothing()),
                        () -> servlet.addMapping("/a", nothing()),
                        () -> filter.addMappingForUrlPatterns(null, true),
                        () -> filter.addMappingForServletNames(null, true),
                        () -> filter.addMappingForServletNames(null, true, (String) nothing()))) {
            assertThatThrownBy(map::run).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void setsAllParametersOrNone() {
        for (jakarta.servlet.Registration registration : List.of(add("s"), addFilter("f"))) {
            assertThat(registration.setInitParameter("a", "1")).isTrue();
            assertThat(registration.setInitParameter("a", "2")).isFalse();
            assertThat(registration.setInitParameters(Map.of("a", "3", "b", "4")))
                    .containsExactly("a");
            assertThat(registration.getInitParameters()).isEqualTo(Map.of("a", "1"));
            assertThat(registration.setInitParameters(Map.of("b", "4", "c", "5"))).isEmpty();
            assertThat(registration.getInitParameter("c")).isEqualTo("5");
            Map<String, String> incomplete = new LinkedHashMap<>();
            incomplete.put("d", "6");
            incomplete.put("e", nothing());
            assertThatThrownBy(() -> registration.setInitParameters(incomplete))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(registration.getInitParameter("d")).isNull();
            assertThatThrownBy(() -> registration.setInitParameter("x", nothing()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> registration.setInitParameter(nothing(), "x"))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> registration.getInitParameters().put("z", "z"))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void describesWhatCodeConfigures() throws Exception {
        ServletRegistration.Dynamic servlet = add("s");
        servlet.setLoadOnStartup(3);
        servlet.setAsyncSupported(true);
        servlet.setRunAsRole("robot");
        servlet.setMultipartConfig(new MultipartConfigElement("up", 1, 2, 3));
        ServletSecurityElement security =
                new ServletSecurityElement(
                        new HttpConstraintElement(TransportGuarantee.CONFIDENTIAL));
        assertThat(servlet.setServletSecurity(security)).isEmpty();
        assertThat(servlet.getRunAsRole()).isEqualTo("robot");
        for (Runnable wrong :
                List.<Runnable>of(
                        () -> servlet.setRunAsRole(nothing()),
                        () -> servlet.setMultipartConfig(nothing()),
                        () -> servlet.setServletSecurity(nothing()))) {
            assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class);
        }
        ServletDescription described = app.start().servlets().getFirst();
        assertThat(described.loadOnStartup()).isEqualTo(3);
        assertThat(described.asyncSupported()).isTrue();
        assertThat(described.runAs()).isEqualTo("robot");
        assertThat(described.multipart()).isEqualTo(new MultipartLimits("up", 1, 2, 3));
        assertThat(context.security()).isEqualTo(Map.of("s", security));
    }

    @Test
    void readsAnnotationsOfAddedAndCreatedClasses() throws Exception {
        context.addServlet("name", Annotated.class.getName());
        context.addServlet("class", Annotated.class);
        context.addServlet("created", context.createServlet(Annotated.class));
        context.addServlet("own", new Annotated());
        for (ServletDescription servlet : app.start().servlets()) {
            boolean own = servlet.name().equals("own");
            assertThat(servlet.runAs()).isEqualTo(own ? null : "robot");
            assertThat(servlet.multipart())
                    .isEqualTo(own ? null : new MultipartLimits("up", 10, -1, 0));
        }
        assertThat(context.security().keySet()).isEqualTo(Set.of("name", "class", "created"));
        assertThat(context.declaredRoles()).containsExactly("reader", "writer");
    }

    @Test
    void ordersFilterMappingsAroundTheDeclaredOnes() throws Exception {
        app.filter("declared", new Component.OfClass(Pass.class));
        app.draft
                .filterMappings()
                .add(
                        new FilterMapping(
                                "declared",
                                new FilterMapping.Target.Pattern("/declared"),
                                Set.of(),
                                TestApp.WEB_XML));
        FilterRegistration.Dynamic f = addFilter("f");
        f.addMappingForUrlPatterns(null, true, "/after1");
        f.addMappingForUrlPatterns(EnumSet.of(DispatcherType.ERROR), false, "/before1", "/before2");
        f.addMappingForServletNames(null, true, "after2");
        addFilter("g").addMappingForServletNames(EnumSet.allOf(DispatcherType.class), false, "b3");
        AppDescription description = app.start();
        assertThat(description.filterMappings())
                .extracting(FilterMapping::target)
                .containsExactly(
                        new FilterMapping.Target.Pattern("/before1"),
                        new FilterMapping.Target.Pattern("/before2"),
                        new FilterMapping.Target.Servlet("b3"),
                        new FilterMapping.Target.Pattern("/declared"),
                        new FilterMapping.Target.Pattern("/after1"),
                        new FilterMapping.Target.Servlet("after2"));
        assertThat(description.filterMappings().get(0).dispatchers())
                .containsExactly(DispatcherType.ERROR);
        assertThat(description.filterMappings().get(4).dispatchers())
                .containsExactly(DispatcherType.REQUEST);
        assertThat(f.getUrlPatternMappings()).containsExactly("/before1", "/before2", "/after1");
        assertThat(f.getServletNameMappings()).containsExactly("after2");
    }

    @Test
    void viewsCannotChangeTheApplication() {
        add("s").addMapping("/x");
        addFilter("f");
        assertThatThrownBy(() -> context.getServletRegistrations().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> context.getFilterRegistrations().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(context.getServletRegistrations()).hasSize(1);
        assertThat(Collections.unmodifiableMap(context.getFilterRegistrations())).hasSize(1);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what careless code passes
    private static <T> T nothing() {
        return null;
    }
}
