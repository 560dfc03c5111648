package dev.mailroom.worker.compose;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.domain.SigningKey;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.queue.HandOver;
import dev.mailroom.queue.Mail;
import jakarta.mail.util.StreamProvider;
import org.eclipse.angus.mail.util.MailStreamProvider;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Puts a mail into the bytes that travel, signed by its domain: the same bytes at every
 * attempt, and for every recipient who gets no copy of their own.
 */
@Component
public class Composer {

	static {
		// The mail library looks for this class through every jar, several times a mail,
		// unless it is told.
		System.setProperty(StreamProvider.class.getName(), MailStreamProvider.class.getName());
	}

	private final SigningKeys keys;

	private final RecipientRendering copies;

	/**
	 * A key that was rotated or retired is still good for as long as DNS remembers it.
	 */
	private final Cache<UUID, List<SigningKey>> known = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(Duration.ofSeconds(60))
		.build();

	Composer(SigningKeys keys, RecipientRendering copies) {
		this.keys = keys;
		this.copies = copies;
	}

	/**
	 * Writes and signs.
	 * @throws Unrenderable where the mail cannot be written, now or ever
	 * @throws Unsigned where its domain's keys cannot be used for now
	 */
	public Mono<byte[]> compose(HandOver handOver) {
		return keys(handOver.domainId()).onErrorMap(Unsigned::new)
			.switchIfEmpty(Mono.error(() -> new Unrenderable("The domain that the mail is from was deleted")))
			.publishOn(Schedulers.parallel())
			.flatMap((keys) -> copy(handOver)
				.map((mail) -> DkimSigner.sign(MimeWriter.write(handOver.emailId(), mail), keys)));
	}

	/** Nearly every mail is the same for all of its recipients. */
	private Mono<Mail> copy(HandOver handOver) {
		return handOver.isPersonal() ? this.copies.of(handOver) : Mono.just(handOver.mail());
	}

	private Mono<List<SigningKey>> keys(UUID domain) {
		return Mono.justOrEmpty(this.known.getIfPresent(domain))
			.switchIfEmpty(Mono.defer(() -> this.keys.of(domain)
				.map((keys) -> keys.stream().map(SignatureAlgorithms::fitted).toList())
				.doOnNext((keys) -> this.known.put(domain, keys))));
	}

}
