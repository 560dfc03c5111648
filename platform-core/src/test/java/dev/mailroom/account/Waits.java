package dev.mailroom.account;

import java.time.Duration;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Waits for answers and refusals, with a deadline. */
final class Waits {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	private Waits() {
	}

	static <T> T get(Mono<T> mono) {
		return mono.blockOptional(DEADLINE).orElseThrow();
	}

	static boolean none(Mono<?> mono) {
		return mono.hasElement().blockOptional(DEADLINE).orElseThrow().equals(false);
	}

	static void run(Mono<Void> mono) {
		mono.block(DEADLINE);
	}

	static Refused refused(String error, Mono<?> mono) {
		@Nullable Refused refused = mono.then(Mono.<Refused>empty()).onErrorResume(Refused.class, Mono::just).block(DEADLINE);
		assertThat(refused).as(error).isNotNull();
		assertThat(refused.refusal().error()).isEqualTo(error);
		return refused;
	}

	/** The name of the refusal, or {@code ok}. */
	static Mono<String> verdict(Mono<?> mono) {
		return mono.then(Mono.just("ok"))
			.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error()));
	}

}
