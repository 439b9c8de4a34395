package dev.serval.servlet.security;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Login;
import dev.serval.servlet.login.Answers;
import dev.serval.servlet.login.Authenticator;
import dev.serval.servlet.login.BasicLogin;
import dev.serval.servlet.login.CertificateLogin;
import dev.serval.servlet.login.DigestLogin;
import dev.serval.servlet.login.FormLogin;
import dev.serval.servlet.password.Verifier;
import jakarta.servlet.ServletSecurityElement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes the guard of an application from what it declares and what the server has. Used by the
/// thread that deploys.
///
/// @param name of the application, which is the realm if it declares none
/// @param verifier null if the server has no users
/// @param httpsPort to which requests are redirected that need encryption; 0 to refuse them
/// @param keys returns texts that no client can guess
/// @param warnings receives sentences for the operator
public record SecurityPlan(
        String name,
        @Nullable Verifier verifier,
        int httpsPort,
        Supplier<String> keys,
        Consumer<String> warnings) {
    /// Checks the login-config, before code of the application runs.
    ///
    /// @throws DescriptorException if its method is unknown
    public static void check(@Nullable Login login) throws DescriptorException {
        if (login == null) {
            return;
        }
        switch (login.method()) {
            case "",
                    BasicLogin.SCHEME,
                    DigestLogin.SCHEME,
                    FormLogin.SCHEME,
                    CertificateLogin.METHOD -> {}
            default ->
                    throw new DescriptorException(
                            login.origin(),
                            "The auth-method \""
                                    + login.method()
                                    + "\" is not known. Write BASIC, DIGEST, FORM or CLIENT-CERT.");
        }
    }

    /// Returns the guard.
    ///
    /// @param app what the files declare
    /// @param byCode what code declares for servlets
    /// @param codeRoles the roles that code declares
    public AppGuard guard(
            AppDescription app, Map<String, ServletSecurityElement> byCode, Set<String> codeRoles) {
        SecurityDescription security = DeclaredByCode.merged(app.security(), byCode, codeRoles);
        Set<String> roles = new HashSet<>(security.roles());
        @Nullable ConstraintTable table =
                ConstraintCompiler.compile(security, app.servlets(), roles, warnings);
        @Nullable Login login = security.login();
        Authenticator authenticator =
                login == null || login.method().isEmpty()
                        ? new Authenticator.Undeclared()
                        : authenticator(login);
        if (table != null) {
            warn(table, authenticator);
        }
        return new AppGuard(table, authenticator, verifier, roles, httpsPort);
    }

    private Authenticator authenticator(Login login) {
        if (verifier == null) {
            return new Authenticator.NoLogin(login.method());
        }
        String realm = login.realm().isEmpty() ? name : login.realm();
        if (login.method().equals(DigestLogin.SCHEME) && !Answers.isPlain(realm)) {
            warnings.accept(
                    login.origin()
                            + ": No user can log in, because DIGEST needs a realm-name of ASCII"
                            + " characters, which \""
                            + realm
                            + "\" is not. Change the realm-name.");
        }
        return switch (login.method()) {
            case DigestLogin.SCHEME -> new DigestLogin(verifier, realm, keys);
            case FormLogin.SCHEME -> new FormLogin(verifier, login, keys);
            case CertificateLogin.METHOD -> new CertificateLogin(verifier);
            default -> new BasicLogin(verifier, realm);
        };
    }

    /// Says why protected paths are refused, if no client can reach them.
    private void warn(ConstraintTable table, Authenticator authenticator) {
        if (!table.needsUsers()) {
            return;
        }
        if (authenticator instanceof Authenticator.Undeclared) {
            warnings.accept(
                    "The application has constraints but declares no way to log in, so the"
                            + " protected paths are refused with 403. Add a login-config to"
                            + " web.xml.");
        } else if (verifier == null) {
            warnings.accept(
                    "The application has protected paths, but the server has no users, so these"
                            + " paths are refused with 403. Add a user by \"serval user add FILE"
                            + " NAME\", and start the server with --users FILE.");
        }
    }
}
