package dev.serval.jsp;

import jakarta.servlet.jsp.tagext.TagLibraryInfo;
import java.io.File;
import java.util.Map;
import org.apache.jasper.Options;
import org.apache.jasper.TrimSpacesOption;
import org.apache.jasper.compiler.JspConfig;
import org.apache.jasper.compiler.TagPluginManager;
import org.apache.jasper.compiler.TldCache;

/// The options of Jasper's servlet, with other property groups. Jasper's own class is final. Any
/// thread.
record PageOptions(Options jasper, JspConfig groups) implements Options {
    @Override
    public boolean getErrorOnUseBeanInvalidClassAttribute() {
        return jasper.getErrorOnUseBeanInvalidClassAttribute();
    }

    @Override
    public boolean getKeepGenerated() {
        return jasper.getKeepGenerated();
    }

    @Override
    public boolean isPoolingEnabled() {
        return jasper.isPoolingEnabled();
    }

    @Override
    public boolean getMappedFile() {
        return jasper.getMappedFile();
    }

    @Override
    public boolean getClassDebugInfo() {
        return jasper.getClassDebugInfo();
    }

    @Override
    public int getCheckInterval() {
        return jasper.getCheckInterval();
    }

    @Override
    public boolean getDevelopment() {
        return jasper.getDevelopment();
    }

    @Override
    public boolean getDisplaySourceFragment() {
        return jasper.getDisplaySourceFragment();
    }

    @Override
    public boolean isSmapSuppressed() {
        return jasper.isSmapSuppressed();
    }

    @Override
    public boolean isSmapDumped() {
        return jasper.isSmapDumped();
    }

    @Override
    public TrimSpacesOption getTrimSpaces() {
        return jasper.getTrimSpaces();
    }

    @Override
    public File getScratchDir() {
        return jasper.getScratchDir();
    }

    @Override
    public String getClassPath() {
        return jasper.getClassPath();
    }

    @Override
    public String getCompiler() {
        return jasper.getCompiler();
    }

    @Override
    public String getCompilerTargetVM() {
        return jasper.getCompilerTargetVM();
    }

    @Override
    public String getCompilerSourceVM() {
        return jasper.getCompilerSourceVM();
    }

    @Override
    public String getCompilerClassName() {
        return jasper.getCompilerClassName();
    }

    @Override
    public TldCache getTldCache() {
        return jasper.getTldCache();
    }

    @Override
    public String getJavaEncoding() {
        return jasper.getJavaEncoding();
    }

    @Override
    public boolean getFork() {
        return jasper.getFork();
    }

    @Override
    public JspConfig getJspConfig() {
        return groups;
    }

    @Override
    public boolean isXpoweredBy() {
        return jasper.isXpoweredBy();
    }

    @Override
    public TagPluginManager getTagPluginManager() {
        return jasper.getTagPluginManager();
    }

    @Override
    public boolean genStringAsCharArray() {
        return jasper.genStringAsCharArray();
    }

    @Override
    public int getModificationTestInterval() {
        return jasper.getModificationTestInterval();
    }

    @Override
    public boolean getRecompileOnFail() {
        return jasper.getRecompileOnFail();
    }

    @Override
    public boolean isCaching() {
        return jasper.isCaching();
    }

    @Override
    public Map<String, TagLibraryInfo> getCache() {
        return jasper.getCache();
    }

    @Override
    public int getMaxLoadedJsps() {
        return jasper.getMaxLoadedJsps();
    }

    @Override
    public int getJspIdleTimeout() {
        return jasper.getJspIdleTimeout();
    }

    @Override
    public boolean getStrictQuoteEscaping() {
        return jasper.getStrictQuoteEscaping();
    }

    @Override
    public boolean getQuoteAttributeEL() {
        return jasper.getQuoteAttributeEL();
    }

    @Override
    public String getVariableForExpressionFactory() {
        return jasper.getVariableForExpressionFactory();
    }

    @Override
    public String getVariableForInstanceManager() {
        return jasper.getVariableForInstanceManager();
    }

    @Override
    public boolean getPoolTagsWithExtends() {
        return jasper.getPoolTagsWithExtends();
    }

    @Override
    public boolean getStrictGetProperty() {
        return jasper.getStrictGetProperty();
    }

    @Override
    public boolean getStrictWhitespace() {
        return jasper.getStrictWhitespace();
    }

    @Override
    public String getJspServletBase() {
        return jasper.getJspServletBase();
    }

    @Override
    public String getServiceMethodName() {
        return jasper.getServiceMethodName();
    }

    @Override
    public String getServletClasspathAttribute() {
        return jasper.getServletClasspathAttribute();
    }

    @Override
    public String getJspPrecompilationQueryParameter() {
        return jasper.getJspPrecompilationQueryParameter();
    }

    @Override
    public String getGeneratedJspPackageName() {
        return jasper.getGeneratedJspPackageName();
    }

    @Override
    public String getGeneratedTagFilePackageName() {
        return jasper.getGeneratedTagFilePackageName();
    }

    @Override
    public String getTempVariableNamePrefix() {
        return jasper.getTempVariableNamePrefix();
    }

    @Override
    public boolean getUseInstanceManagerForTags() {
        return jasper.getUseInstanceManagerForTags();
    }

    @Override
    public boolean getGeneratedJavaAddTimestamp() {
        return jasper.getGeneratedJavaAddTimestamp();
    }

    @Override
    public String getUseNonstandardTagOptimizations() {
        return jasper.getUseNonstandardTagOptimizations();
    }
}
