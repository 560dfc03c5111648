package dev.mailroom.bench.profile;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StageTest {

	@Test
	void theInnermostRecognisedClassDecides() {
		assertThat(Stage.of(List.of("java.lang.String", "tools.jackson.core.JsonParser",
				"dev.mailroom.api.email.Drafts", "org.springframework.web.reactive.DispatcherHandler")))
			.isEqualTo(Stage.JSON);
		assertThat(Stage.of(List.of("dev.mailroom.worker.compose.Dkim", "dev.mailroom.worker.send.Lane")))
			.isEqualTo(Stage.DKIM);
	}

	@Test
	void librariesUnderEverythingAreNamedOnlyIfNothingElseIsRecognised() {
		assertThat(Stage.of(List.of("io.netty.channel.epoll.Native", "reactor.core.publisher.Mono",
				"dev.mailroom.worker.smtp.Session")))
			.isEqualTo(Stage.SMTP);
		assertThat(Stage.of(List.of("io.netty.channel.epoll.Native", "java.lang.Thread"))).isEqualTo(Stage.NETTY);
		assertThat(Stage.of(List.of("java.lang.Thread"))).isEqualTo(Stage.OTHER);
	}

}
