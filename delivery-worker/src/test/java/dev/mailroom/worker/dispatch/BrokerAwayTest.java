package dev.mailroom.worker.dispatch;

import java.util.Map;

import dev.mailroom.worker.Surroundings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Surroundings.WorkerAlone
@ExtendWith(OutputCaptureExtension.class)
class BrokerAwayTest {

	private static final int TIMEOUT_MS = 2_000;

	/** Several hundred lines if the client rebootstraps. */
	private static final int MAX_LINES = 100;

	@Autowired
	KafkaProperties kafka;

	@Test
	void anAdminClientLogsFewLinesWhileTheBrokerIsAway(CapturedOutput output) {
		Map<String, Object> settings = this.kafka.buildAdminProperties();
		settings.put(AdminClientConfig.CLIENT_ID_CONFIG, "without-a-broker");
		settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
		settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
		try (Admin admin = Admin.create(settings)) {
			assertThatThrownBy(() -> admin.describeCluster().clusterId().get())
				.hasCauseInstanceOf(TimeoutException.class);
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("without-a-broker"))).isNotEmpty()
			.hasSizeLessThan(MAX_LINES);
	}

}
