package dev.serval.applications.spring;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletRegistration;
import org.springframework.web.servlet.support.AbstractAnnotationConfigDispatcherServletInitializer;

/// Declares the servlet of Spring MVC. The container finds it by `@HandlesTypes`.
public final class Startup extends AbstractAnnotationConfigDispatcherServletInitializer {
    private static final long UPLOAD_MAX_BYTES = 8 << 20;

    @Override
    protected Class<?>[] getRootConfigClasses() {
        return new Class<?>[0];
    }

    @Override
    protected Class<?>[] getServletConfigClasses() {
        return new Class<?>[] {WebConfiguration.class};
    }

    @Override
    protected String[] getServletMappings() {
        return new String[] {"/"};
    }

    @Override
    protected void customizeRegistration(ServletRegistration.Dynamic registration) {
        registration.setMultipartConfig(
                new MultipartConfigElement("", UPLOAD_MAX_BYTES, UPLOAD_MAX_BYTES, 1 << 16));
    }
}
