package dev.caisson;

/// The command line.
public final class Main {
    private Main() {}

    static void main(String[] args) {
        System.out.println("caisson " + args.length);
    }
}
