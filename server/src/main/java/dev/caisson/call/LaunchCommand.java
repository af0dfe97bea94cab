package dev.caisson.call;

/// Command by which the product is started here, for sentences that say what to type: `./caisson`
/// in a checkout, `caisson` where a package installed it.
public final class LaunchCommand {
    private LaunchCommand() {}

    /// As the launcher says.
    public static String word() {
        return System.getProperty("caisson.command", "./caisson");
    }
}
