package dev.mailroom.tracking;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Tracked links in mails, and their targets. */
@Service
public class Links {

	/** Targets in the cache; those of a campaign are requested many times. */
	private static final int MAX_CACHED = 20_000;

	/** Limits the delay with which a target's day of last use is updated. */
	private static final Duration CACHED_FOR = Duration.ofDays(1);

	private static final List<String> OWN_PATHS = List.of("/u/", "/t/", "/confirm/");

	private final TrackingSettings settings;

	private final Tokens tokens;

	private final LinkStore store;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	private final NoArgGenerator ids;

	private final Cache<Key, String> targets = Caffeine.newBuilder()
		.maximumSize(MAX_CACHED)
		.expireAfterWrite(CACHED_FOR)
		.build();

	Links(TrackingSettings settings, Tokens tokens, LinkStore store, Transactions transactions,
			JdbcTransactions threads, NoArgGenerator ids) {
		this.settings = settings;
		this.tokens = tokens;
		this.store = store;
		this.transactions = transactions;
		this.threads = threads;
		this.ids = ids;
	}

	/** The URL of the image that records an open. */
	public String openUrl(UUID account, UUID delivery) {
		return openUrl(null, account, delivery);
	}

	/**
	 * The URL of the image that records an open.
	 * @param host the tracking domain; null for the shared name
	 */
	public String openUrl(@Nullable String host, UUID account, UUID delivery) {
		return base(host) + "/t/o/" + this.tokens.text(new TrackingToken.Open(account, delivery));
	}

	/** The URL that records a click and redirects to a stored target. */
	public String clickUrl(UUID account, UUID delivery, LinkTarget target) {
		return clickUrl(null, account, delivery, target);
	}

	/**
	 * The URL that records a click and redirects to a stored target.
	 * @param host the tracking domain; null for the shared name
	 */
	public String clickUrl(@Nullable String host, UUID account, UUID delivery, LinkTarget target) {
		return base(host) + "/t/c/" + this.tokens.text(new TrackingToken.Click(account, delivery, target.id()));
	}

	/** The URL by which a contact unsubscribes. */
	public String unsubscribeUrl(UUID account, UUID contact) {
		return unsubscribeUrl(null, account, contact, null);
	}

	/**
	 * The URL by which a contact unsubscribes through the mail of a campaign.
	 * @param host the tracking domain; null for the shared name
	 * @param campaign null for other mail
	 */
	public String unsubscribeUrl(@Nullable String host, UUID account, UUID contact, @Nullable UUID campaign) {
		return base(host) + "/u/" + this.tokens.text(new TrackingToken.Unsubscribe(account, contact, campaign));
	}

	/** The URL by which a contact confirms its subscription, valid from now on. */
	public String confirmationUrl(UUID account, UUID contact) {
		return confirmationUrl(null, account, contact);
	}

	/**
	 * The URL by which a contact confirms its subscription, valid from now on.
	 * @param host the tracking domain; null for the shared name
	 */
	public String confirmationUrl(@Nullable String host, UUID account, UUID contact) {
		return base(host) + "/confirm/"
				+ this.tokens.text(new TrackingToken.Confirmation(account, contact, this.ids.generate()));
	}

	/**
	 * The URL by which the owner of an address confirms that mail is forwarded to it,
	 * valid from now on.
	 */
	public String forwardUrl(UUID account, UUID target) {
		return this.settings.publicUrl() + "/confirm-forward/"
				+ this.tokens.text(new TrackingToken.ForwardConfirmation(account, target, this.ids.generate()));
	}

	private String base(@Nullable String host) {
		return (host != null) ? "https://" + host : this.settings.publicUrl();
	}

	/** The address of a logo, which cannot be guessed. */
	public String logoUrl(UUID account, UUID logo) {
		return this.settings.publicUrl() + "/logo/" + this.tokens.text(new TrackingToken.Logo(account, logo));
	}

	/** The address of an image, which cannot be guessed. */
	public String imageUrl(UUID account, UUID image) {
		return this.settings.publicUrl() + "/image/" + this.tokens.text(new TrackingToken.ImageLink(account, image));
	}

	/**
	 * The address of the source of a received mail, valid for a while after it arrived.
	 */
	public String sourceUrl(UUID account, UUID email) {
		return this.settings.publicUrl() + "/received/" + this.tokens.text(new TrackingToken.Received(account, email));
	}

	/**
	 * Whether a link already leads to this platform: it is not tracked.
	 * @param host the tracking domain of its mail; null for the shared name
	 */
	public boolean isOwn(@Nullable String host, LinkTarget target) {
		return OWN_PATHS.stream()
			.anyMatch((path) -> target.url().startsWith(this.settings.publicUrl() + path)
					|| (host != null && target.url().startsWith(base(host) + path)));
	}

	/** Stores targets; to be called before a mail with their links is sent. */
	public void store(UUID account, Collection<LinkTarget> targets) {
		List<LinkTarget> missing = targets.stream()
			.filter((target) -> this.targets.getIfPresent(new Key(account, target.id())) == null)
			.distinct()
			.toList();
		if (!missing.isEmpty()) {
			Scope scope = Scope.of(account);
			this.threads.run(scope, (jdbc) -> this.store.insert(jdbc, scope, missing));
			missing.forEach((target) -> this.targets.put(new Key(account, target.id()), target.url()));
		}
	}

	/** The target of a link; empty if none was stored. */
	public Mono<String> target(TrackingToken.Click click) {
		Key key = new Key(click.accountId(), click.link());
		Scope scope = Scope.of(click.accountId());
		return Mono.justOrEmpty(this.targets.getIfPresent(key))
			.switchIfEmpty(Mono.defer(() -> this.transactions.in(scope, this.store.url(scope, click.link())))
				.doOnNext((url) -> this.targets.put(key, url)));
	}

	private record Key(UUID accountId, UUID link) {
	}

}
