package dev.serval.testkit.mode;

import java.util.List;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One run of the tests of a class. Immutable.
///
/// @param mode the mode
/// @param instead whether only the tests run that the mode leaves out, and over HTTP/1.1
record ModeRun(Mode mode, boolean instead)
        implements ClassTemplateInvocationContext,
                BeforeClassTemplateInvocationCallback,
                AfterClassTemplateInvocationCallback,
                ExecutionCondition {
    @Override
    public String getDisplayName(int invocationIndex) {
        return instead ? "h1 instead of " + mode : mode.toString();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of(this);
    }

    @Override
    public void beforeClassTemplateInvocation(ExtensionContext context) {
        Mode.begin(instead ? Mode.H1 : mode);
    }

    @Override
    public void afterClassTemplateInvocation(ExtensionContext context) {
        Mode.begin(Mode.H1);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod()
                .map(method -> {
                    String name = context.getRequiredTestClass().getSimpleName();
                    String reason = ModeExceptions.listed().reason(name, method.getName(), mode);
                    boolean runs = reason.isEmpty() != instead;
                    return runs
                            ? ConditionEvaluationResult.enabled("")
                            : ConditionEvaluationResult.disabled(
                                    ModeExceptions.NOT_OVER + mode + ": " + reason);
                })
                .orElseGet(() -> ConditionEvaluationResult.enabled(""));
    }
}
