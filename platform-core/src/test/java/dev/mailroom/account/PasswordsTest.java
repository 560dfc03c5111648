package dev.mailroom.account;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.mailroom.client.ClientNetwork;
import dev.mailroom.token.Secret;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.security.crypto.password.PasswordEncoder;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

class PasswordsTest {

	private static final InetAddress BUSY = InetAddress.ofLiteral("198.51.100.7");

	private static final InetAddress OTHER = InetAddress.ofLiteral("198.51.100.8");

	@Test
	void aNetworkWithManyRequestsWaitingIsRefusedAndOthersAreNot() {
		CountDownLatch released = new CountDownLatch(1);
		Passwords passwords = new Passwords(new BlockingEncoder(released));
		List<CompletableFuture<String>> waiting = IntStream.range(0, 32)
			.mapToObj((_) -> hash(passwords, BUSY).toFuture())
			.toList();
		awaitRefusal("Service unavailable", hash(passwords, BUSY));
		CompletableFuture<String> other = hash(passwords, OTHER).toFuture();
		released.countDown();
		assertThat(await(Flux.fromIterable(waiting).concatMap(Mono::fromFuture).count())).isEqualTo(32);
		assertThat(await(Mono.fromFuture(other))).isEqualTo("hash");
		assertThat(await(hash(passwords, BUSY))).isEqualTo("hash");
		passwords.destroy();
	}

	private static Mono<String> hash(Passwords passwords, InetAddress client) {
		return passwords.hash(Secret.of("correct horse battery")).contextWrite(ClientNetwork.context(client, false));
	}

	/** Waits until it is released. */
	private record BlockingEncoder(CountDownLatch released) implements PasswordEncoder {

		@Override
		public String encode(CharSequence password) {
			try {
				this.released.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return "hash";
		}

		@Override
		public boolean matches(CharSequence password, String hash) {
			return false;
		}

	}

}
