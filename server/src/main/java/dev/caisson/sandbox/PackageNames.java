package dev.caisson.sandbox;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Names of installed packages, as they are told to models: those that programs ask for by name,
/// without what these need themselves.
public final class PackageNames {
    /// A description names no more of one environment.
    private static final int SHOWN_MAX = 12;

    /// Parts of other packages that nobody imports by themselves.
    private static final Set<String> PARTS =
            Set.of(
                    "ast-serialize",
                    "contourpy",
                    "cycler",
                    "et-xmlfile",
                    "fonttools",
                    "iniconfig",
                    "kiwisolver",
                    "librt",
                    "mypy-extensions",
                    "packaging",
                    "pathspec",
                    "pluggy",
                    "pygments",
                    "pyparsing",
                    "python-dateutil",
                    "pytz",
                    "six",
                    "typing-extensions",
                    "tzdata");

    private PackageNames() {}

    /// Those of all of them, as a sentence lists them.
    public static String listed(List<PackageEnvironment> environments) {
        return environments.stream()
                .flatMap(each -> known(each).stream())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /// Those of one environment, some of them when there are many.
    public static List<String> known(PackageEnvironment environment) {
        return environment.packages().stream()
                .map(PackageEnvironment.Item::name)
                .filter(name -> !PARTS.contains(name))
                .limit(SHOWN_MAX)
                .toList();
    }
}
