package dev.serval.jsp.expression;

import jakarta.el.ELResolver;
import jakarta.el.ImportHandler;
import jakarta.el.ValueExpression;
import jakarta.el.VariableMapper;
import java.util.HashMap;
import java.util.Map;
import org.apache.jasper.el.ELContextImpl;
import org.jspecify.annotations.Nullable;

/// What the expressions of one page see. Knows whether the page has EL variables, which change the
/// meaning of a parsed expression (EL 6.0 §2.3). Used by one thread.
final class PageElContext extends ELContextImpl {
    private final Variables own = new Variables();
    private @Nullable VariableMapper other; // set by code, in place of the own

    private final PageImports imports;

    PageElContext(ELResolver resolver, PageImports.Unknown unknown) {
        super(resolver);
        this.imports = new PageImports(unknown);
    }

    @Override
    public ImportHandler getImportHandler() {
        return imports;
    }

    /// Returns whether the page has EL variables now.
    boolean hasVariables() {
        return other != null || !own.all.isEmpty();
    }

    @Override
    public VariableMapper getVariableMapper() {
        return other == null ? own : other;
    }

    @Override
    public void setVariableMapper(@Nullable VariableMapper mapper) {
        other = mapper;
    }

    private static final class Variables extends VariableMapper {
        final Map<String, ValueExpression> all = new HashMap<>(0);

        @Override
        public @Nullable ValueExpression resolveVariable(String name) {
            return all.get(name);
        }

        @Override
        public @Nullable ValueExpression setVariable(
                String name, @Nullable ValueExpression expression) {
            return expression == null ? all.remove(name) : all.put(name, expression);
        }
    }
}
