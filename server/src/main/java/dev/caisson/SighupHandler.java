package dev.caisson;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handler of SIGHUP, which makes a server look again for languages and images.
///
/// The JDK's only door to signals is one the compiler warns of in a way that cannot be suppressed,
/// so it is opened by name. On a virtual machine without it, SIGHUP ends the server as it always
/// did.
final class SighupHandler {
    private static final Logger LOG = LoggerFactory.getLogger(SighupHandler.class);

    private SighupHandler() {}

    /// @param told runs on a thread of its own each time
    static void onSignal(Runnable told) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var run = MethodHandles.lookup().bind(told, "run", MethodType.methodType(void.class));
            var listener =
                    MethodHandleProxies.asInterfaceInstance(
                            handler, MethodHandles.dropArguments(run, 0, signal));
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), listener);
        } catch (ReflectiveOperationException absent) {
            LOG.warn("SIGHUP is not available here: restart the server to find new runners");
        }
    }
}
