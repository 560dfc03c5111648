package dev.mailroom.trackingdomain;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Stamp;
import dev.mailroom.tlspolicy.StsPolicy.Mode;
import dev.mailroom.trackingdomain.TrackingDomain.State;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Host names of requests, and the accounts whose links work below them. Without tracking
 * domains nothing is looked up.
 */
@Service
public class TrackingNames {

	/** Path of policies about TLS (RFC 8461 section 3.3). */
	public static final String POLICY_PATH = "/.well-known/mta-sts.txt";

	/** Path of requests that prove that a name leads here; a nonce follows. */
	public static final String PROOF_PATH = "/.well-known/mailroom-tracking/";

	private static final int MAX_CACHED = 10_000;

	/** Limits the delay with which a new or removed name is noticed. */
	private static final Duration CACHED_FOR = Duration.ofSeconds(10);

	private static final int MAX_NAME_LENGTH = 253;

	private static final int PROOF_BYTES = 16;

	private final TrackingDomainStore store;

	private final TrackingDomainSettings settings;

	private final Transactions transactions;

	private final Stamp stamp;

	/** Hosts of this installation; their links belong to all accounts. */
	private final Set<String> own;

	private final Cache<String, List<Owner>> owners = Caffeine.newBuilder()
		.maximumSize(MAX_CACHED)
		.expireAfterWrite(CACHED_FOR)
		.build();

	TrackingNames(TrackingDomainStore store, TrackingDomainSettings settings, Transactions transactions, Stamp stamp) {
		this.store = store;
		this.settings = settings;
		this.transactions = transactions;
		this.stamp = stamp;
		this.own = settings.own();
	}

	/** Whether a request is known not to be for a tracking domain, without a look-up. */
	public boolean isOther(@Nullable String host) {
		if (!this.settings.isConfigured() || host == null) {
			return true;
		}
		String name = name(host);
		@Nullable List<Owner> known = this.owners.getIfPresent(name);
		return this.own.contains(name) || (known != null && known.isEmpty());
	}

	/**
	 * Owners of the name in a Host header; none if it is not that of a tracking domain. A
	 * name that was removed and added by another account has two.
	 */
	public Mono<List<Owner>> owners(@Nullable String host) {
		if (isOther(host)) {
			return Mono.just(List.of());
		}
		String name = name(host);
		return Mono.justOrEmpty(this.owners.getIfPresent(name)).switchIfEmpty(Mono.defer(() -> lookUp(name)));
	}

	private Mono<List<Owner>> lookUp(String name) {
		Mono<List<Owner>> found = (name.length() > MAX_NAME_LENGTH) ? Mono.just(List.of())
				: this.transactions.acrossAccounts(this.store.owners(name).collectList());
		return found.doOnNext((it) -> this.owners.put(name, it));
	}

	/** Whether a certificate may be ordered for a name, of which DNS leads here. */
	public Mono<Boolean> mayHaveCertificate(@Nullable String name) {
		return owners(name).map((found) -> found.stream().anyMatch((owner) -> owner.state() != State.PENDING));
	}

	/** The text of the policy that a name serves; empty if it serves none. */
	public Mono<String> policy(@Nullable String host) {
		return owners(host).flatMapIterable((found) -> found)
			.mapNotNull(Owner::policy)
			.next()
			.map((mode) -> HostedPolicy.text(mode, this.settings.mxHost()));
	}

	/** The answer to a request with a nonce, which only this platform can give. */
	public String proof(@Nullable String host, String nonce) {
		byte[] asked = (name(host) + " " + nonce).getBytes(StandardCharsets.UTF_8);
		return HexFormat.of().formatHex(this.stamp.stamp("tracking domain", asked, PROOF_BYTES));
	}

	private static String name(@Nullable String host) {
		String name = (host != null) ? host : "";
		int port = name.lastIndexOf(':');
		return ((port > 0) ? name.substring(0, port) : name).toLowerCase(Locale.ROOT);
	}

	/**
	 * An account whose links work below a name, or whose policy.
	 *
	 * @param policy mode of the policy that the name serves; null for links
	 */
	public record Owner(UUID account, State state, @Nullable Mode policy) {
	}

}
