package dev.mailroom.worker.compose;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.WrongSetting;
import dev.mailroom.account.Account;
import dev.mailroom.account.FeedbackTags;
import dev.mailroom.domain.SigningKey;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.StoredMail;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * The platform's own signature beside those of the tenant, with the fields that ask
 * receivers for reports: Feedback-ID, which groups complaints at Gmail, and CFBL-Address
 * with CFBL-Feedback-ID (RFC 9477). A mailbox provider then needs to know one domain
 * instead of one for each tenant. Mail never waits for it: without the platform's key it
 * leaves with the tenant's signatures alone.
 */
@Component
class PlatformSignature {

	private static final Logger log = LoggerFactory.getLogger(PlatformSignature.class);

	/**
	 * Shorter than the time for which a retired key stays in DNS, and long enough that a
	 * database that is away delays few mails.
	 */
	private static final Duration KEY_TTL = Duration.ofSeconds(60);

	private static final int MAX_CACHED_TAGS = 10_000;

	private static final String FEEDBACK_ID = "Feedback-ID";

	private final SigningKeys keys;

	private final FeedbackTags tags;

	private final ReturnPath returnPath;

	private final SignatureSettings settings;

	/** The key, or its absence, under the platform's account. */
	private final Cache<UUID, Optional<SigningKey>> cachedKey = Caffeine.newBuilder().expireAfterWrite(KEY_TTL).build();

	/** By account; a tag that could not be read is absent. */
	private final Cache<UUID, Optional<String>> cachedTags = Caffeine.newBuilder()
		.maximumSize(MAX_CACHED_TAGS)
		.expireAfterWrite(KEY_TTL)
		.build();

	private volatile boolean unreadable;

	PlatformSignature(SigningKeys keys, FeedbackTags tags, ReturnPath returnPath, SignatureSettings settings,
			MeterRegistry registry) {
		this.keys = keys;
		this.tags = tags;
		this.returnPath = returnPath;
		this.settings = settings;
		Gauge.builder("mailroom.platform.key.unreadable", this, (signature) -> signature.unreadable ? 1 : 0)
			.description("Whether mail leaves without the platform's signature because its key cannot be read")
			.register(registry);
	}

	/** Whether mail of this transport carries the platform's signature. */
	boolean covers(String transport) {
		return this.settings.covers(transport);
	}

	/** The request for reports about a delivery; empty if the key cannot be read. */
	Optional<Request> of(HandOver handOver) {
		return key().flatMap((key) -> tag(handOver.accountId()).map((tag) -> new Request(key, fields(handOver, tag))));
	}

	private Map<String, String> fields(HandOver handOver, String tag) {
		HandOver.Merge merge = handOver.merge();
		String kind = (merge != null) ? merge.campaignId().toString() : handOver.mail().stream();
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put(FEEDBACK_ID, String.join(":", kind, tag, this.settings.senderId()));
		fields.put("CFBL-Address", "fbl@" + this.settings.platformDomain() + "; report=arf");
		fields.put("CFBL-Feedback-ID", this.returnPath.feedbackId(handOver.accountId(), handOver.lease().delivery()));
		return fields;
	}

	/** Domain of the platform's own mail. */
	String domain() {
		return this.settings.platformDomain();
	}

	/** The platform's key; empty if it cannot be read. */
	Optional<SigningKey> key() {
		return this.cachedKey.get(Account.PLATFORM, (account) -> {
			Optional<SigningKey> read = Optional.empty();
			try {
				read = this.keys.ofPlatform(account).map(Dkim::convert);
				if (read.isEmpty()) {
					log.warn("The domain {} has no key yet: mail leaves without the platform's signature",
							this.settings.platformDomain());
				}
			}
			catch (RuntimeException ex) {
				log.warn("The platform's key cannot be read: mail leaves without its signature", ex);
			}
			this.unreadable = read.isEmpty();
			return read;
		});
	}

	private Optional<String> tag(UUID account) {
		return this.cachedTags.get(account, (id) -> {
			try {
				return Optional.of(this.tags.of(id));
			}
			catch (RuntimeException ex) {
				log.warn("The feedback tag of an account cannot be read: its mail leaves without the platform's "
						+ "signature", ex);
				return Optional.empty();
			}
		});
	}

	/**
	 * A request for reports about one delivery.
	 *
	 * @param key the platform's key
	 * @param fields the fields to be added
	 */
	record Request(SigningKey key, Map<String, String> fields) {

		/** The mail with the fields; a Feedback-ID of the tenant stays. */
		StoredMail in(StoredMail mail) {
			Map<String, String> all = new LinkedHashMap<>(mail.headers());
			boolean own = all.keySet().stream().anyMatch(FEEDBACK_ID::equalsIgnoreCase);
			this.fields.forEach((name, value) -> {
				if (!own || !name.equals(FEEDBACK_ID)) {
					all.put(name, value);
				}
			});
			return mail.withHeaders(all);
		}

	}

	/**
	 * Settings of the platform's signature.
	 *
	 * @param platformDomain domain of the platform's own mail, which signs
	 * @param platformSignature the mail that it signs: direct, all or none
	 * @param feedbackSenderId last part of Feedback-ID; derived from the domain if empty
	 */
	@ConfigurationProperties("mailroom")
	record SignatureSettings(@DefaultValue("mailroom.localhost") String platformDomain,
			@DefaultValue("direct") String platformSignature, @DefaultValue("") String feedbackSenderId) {

		/** Gmail accepts 5 to 15 characters. */
		private static final Pattern SENDER_ID = Pattern.compile("[A-Za-z0-9._-]{5,15}");

		private static final int MAX_SENDER_ID = 15;

		SignatureSettings {
			if (!platformSignature.matches("direct|all|none")) {
				throw new WrongSetting("MAILROOM_PLATFORM_SIGNATURE", platformSignature, "direct, all or none");
			}
			if (!feedbackSenderId.isEmpty() && !SENDER_ID.matcher(feedbackSenderId).matches()) {
				throw new WrongSetting("MAILROOM_FEEDBACK_SENDER_ID", feedbackSenderId,
						"5 to 15 letters, digits, dots, hyphens or underscores");
			}
			platformDomain = platformDomain.strip().toLowerCase(Locale.ROOT);
		}

		/**
		 * Whether mail of a transport is signed. Names below localhost have no records in
		 * DNS: nobody could verify the signature of a platform that is not configured.
		 */
		boolean covers(String transport) {
			boolean covered = switch (this.platformSignature) {
				case "direct" -> transport.equals("mx");
				case "all" -> transport.equals("mx") || transport.equals("relay");
				default -> false;
			};
			return covered && !this.platformDomain.endsWith("localhost");
		}

		/** The last part of Feedback-ID, the same in all mail of the platform. */
		String senderId() {
			if (!this.feedbackSenderId.isEmpty()) {
				return this.feedbackSenderId;
			}
			String name = this.platformDomain.replace('.', '-') + "-mail";
			return name.substring(0, Math.min(MAX_SENDER_ID, name.length())).replaceFirst("-+$", "");
		}

	}

}
