package dev.mailroom.tracking;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The links that mails carry, and the targets behind them. */
@Service
public class Links {

	/** Targets that are remembered: those of a campaign are asked for again and again. */
	private static final int REMEMBERED = 20_000;

	/** A target's day of last use is behind by so much at the most. */
	private static final Duration REMEMBERED_FOR = Duration.ofDays(1);

	private final TrackingSettings settings;

	private final Tokens tokens;

	private final LinkStore store;

	private final Transactions transactions;

	private final Cache<Key, String> known = Caffeine.newBuilder()
		.maximumSize(REMEMBERED)
		.expireAfterWrite(REMEMBERED_FOR)
		.build();

	Links(TrackingSettings settings, Tokens tokens, LinkStore store, Transactions transactions) {
		this.settings = settings;
		this.tokens = tokens;
		this.store = store;
		this.transactions = transactions;
	}

	/** The picture that tells of an open. */
	public String picture(UUID account, UUID delivery) {
		return this.settings.publicUrl() + "/t/o/" + this.tokens.text(new Token.Open(account, delivery));
	}

	/** The link that leads to a target that was kept. */
	public String link(UUID account, UUID delivery, LinkTarget target) {
		return this.settings.publicUrl() + "/t/c/" + this.tokens.text(new Token.Click(account, delivery, target.id()));
	}

	/** The way out of a contact's book. */
	public String wayOut(UUID account, UUID contact) {
		return this.settings.publicUrl() + "/u/" + this.tokens.text(new Token.Leave(account, contact));
	}

	/** Whether a link leads to us anyway: it is not led there by a detour. */
	public boolean isOurs(LinkTarget target) {
		return target.url().startsWith(this.settings.publicUrl() + "/u/")
				|| target.url().startsWith(this.settings.publicUrl() + "/t/");
	}

	/** Keeps targets, before a mail goes out whose links lead to them. */
	public Mono<Void> keep(UUID account, Collection<LinkTarget> targets) {
		List<LinkTarget> fresh = targets.stream()
			.filter((target) -> this.known.getIfPresent(new Key(account, target.id())) == null)
			.distinct()
			.toList();
		if (fresh.isEmpty()) {
			return Mono.empty();
		}
		Scope scope = Scope.of(account);
		return this.transactions.in(scope, this.store.insert(scope, fresh))
			.doOnSuccess((_) -> fresh.forEach((target) -> this.known.put(new Key(account, target.id()), target.url())));
	}

	/** Where a click leads to; empty where nothing was ever kept for it. */
	public Mono<String> target(Token.Click click) {
		Key key = new Key(click.accountId(), click.link());
		Scope scope = Scope.of(click.accountId());
		return Mono.justOrEmpty(this.known.getIfPresent(key))
			.switchIfEmpty(Mono.defer(() -> this.transactions.in(scope, this.store.url(scope, click.link())))
				.doOnNext((url) -> this.known.put(key, url)));
	}

	private record Key(UUID accountId, UUID link) {
	}

}
