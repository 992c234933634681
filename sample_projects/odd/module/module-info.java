import demo.api.Plugin;

/**
 * A module with one directive of each kind.
 *
 * @provides demo.api.Plugin
 */
@Deprecated
open module demo.core {
    requires java.logging;
    requires transitive java.sql;
    requires static java.desktop;

    exports demo.api;
    exports demo.internal to java.logging, java.sql;

    uses Plugin;
    provides Plugin with demo.internal.DefaultPlugin;
}
