package dev.mailroom.account;

import java.net.InetAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.mailroom.ClientNetwork;
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
		Passwords passwords = new Passwords(new BlockingEncoder(released), (_, _) -> "hash", QuickPasswords.COST);
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

	@Test
	void aHashWithAGivenSaltIsComparedLikeOthers() {
		Passwords passwords = new Passwords();
		Secret password = Secret.of("correct h\u00f6rse battery");
		UUID salt = UUID.randomUUID();
		String hash = await(passwords.hash(password, salt));
		assertThat(hash).matches("\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}");
		assertThat(await(passwords.hash(password, salt))).isEqualTo(hash);
		assertThat(await(passwords.hash(password, UUID.randomUUID()))).isNotEqualTo(hash);
		assertThat(await(passwords.matches(Secret.of("correct ho\u0308rse battery"), hash))).isTrue();
		assertThat(await(passwords.compare(password, hash, salt))).isEqualTo(new Passwords.Comparison(true, hash));
		assertThat(await(passwords.compare(password, null, salt))).isEqualTo(new Passwords.Comparison(false, hash));
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
