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
 * Composes and signs the message of a mail. The bytes are the same for each attempt, and
 * for all recipients without personal content.
 */
@Component
public class Composer {

	static {
		// Otherwise the mail library searches the class path for this class several times
		// per mail.
		System.setProperty(StreamProvider.class.getName(), MailStreamProvider.class.getName());
	}

	private final SigningKeys keys;

	private final RecipientRendering rendering;

	/** Keys by domain. A retired key stays in DNS for longer than it is cached here. */
	private final Cache<UUID, List<SigningKey>> cache = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(Duration.ofSeconds(60))
		.build();

	Composer(SigningKeys keys, RecipientRendering rendering) {
		this.keys = keys;
		this.rendering = rendering;
	}

	/**
	 * Composes and signs a message.
	 * @throws Unrenderable through the Mono, if the mail cannot be composed permanently
	 * @throws Unsigned through the Mono, if the domain's keys cannot be used temporarily
	 */
	public Mono<byte[]> compose(HandOver handOver) {
		return keys(handOver.domainId()).onErrorMap(Unsigned::new)
			.switchIfEmpty(Mono.error(() -> new Unrenderable("The sending domain was deleted")))
			.publishOn(Schedulers.parallel())
			.flatMap((keys) -> rendered(handOver)
				.map((mail) -> DkimSigner.sign(MimeWriter.write(handOver.emailId(), mail), keys)));
	}

	/** The mail with personal content, if the recipient has any. */
	private Mono<Mail> rendered(HandOver handOver) {
		return handOver.isPersonal() ? this.rendering.of(handOver) : Mono.just(handOver.mail());
	}

	private Mono<List<SigningKey>> keys(UUID domain) {
		return Mono.justOrEmpty(this.cache.getIfPresent(domain))
			.switchIfEmpty(Mono.defer(() -> this.keys.of(domain)
				.map((keys) -> keys.stream().map(SignatureAlgorithms::convert).toList())
				.doOnNext((keys) -> this.cache.put(domain, keys))));
	}

}
