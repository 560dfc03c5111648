package dev.mailroom.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FreePortsTest {

	@Test
	void aPortInUseIsReportedWithItsVariable() throws IOException {
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			assertThatExceptionOfType(StartFailure.class)
				.isThrownBy(() -> FreePorts.settle(Map.of(Port.MAILBOX, taken.getLocalPort())))
				.withMessage("Port " + taken.getLocalPort()
						+ " is in use: set MAILROOM_MAILBOX_PORT to another (0 = any), or stop what uses it.");
		}
	}

	@Test
	void theSameNumberForTwoPortsIsRefused() {
		int free = FreePorts.settle(Map.of(Port.API, 0)).of(Port.API);
		assertThatExceptionOfType(StartFailure.class)
			.isThrownBy(() -> FreePorts.settle(Map.of(Port.API, free, Port.ADMIN, free)))
			.withMessageContaining("Port " + free + " is in use");
	}

	@Test
	void zeroAssignsADistinctFreePort() {
		FreePorts ports = FreePorts.settle(Map.of(Port.API, 0, Port.ADMIN, 0));
		assertThat(ports.of(Port.API)).isPositive().isNotEqualTo(ports.of(Port.ADMIN));
	}

	@Test
	void severalPortsMayBeDisabled() {
		FreePorts ports = FreePorts.settle(Map.of(Port.INBOUND, -1, Port.SUBMISSION, -1));
		assertThat(ports.of(Port.INBOUND)).isEqualTo(ports.of(Port.SUBMISSION)).isNegative();
	}

}
