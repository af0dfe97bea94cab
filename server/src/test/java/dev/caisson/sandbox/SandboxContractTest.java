package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Rig.Shared.class)
class SandboxContractTest {
    private final Rig rig;

    SandboxContractTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void python_prints() throws InterruptedException {
        System.err.println(rig.sandboxes().isolation());
        System.err.println(
                rig.sandboxes().runners().available() + " " + rig.sandboxes().runners().missing());
        var result = rig.run(Language.PYTHON, "print(1)");
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.stdout()).isEqualTo("1\n");
    }
}
