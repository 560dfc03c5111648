package dev.mailroom.brand;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Reads and changes the brand of an account. */
@Service
public class Brands {

	private final BrandStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	private final Audits audits;

	private final Clock clock;

	Brands(BrandStore store, Transactions transactions, Blobs blobs, Audits audits, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
		this.audits = audits;
		this.clock = clock;
	}

	/** The brand of an account, {@link Brand#NONE} if it has set none. */
	public Mono<Brand> find(Scope scope) {
		return this.transactions.in(scope, this.store.find(scope)).defaultIfEmpty(Brand.NONE);
	}

	/**
	 * A logo of an account; empty if the account has another one by now, or none. It is
	 * read from the bucket outside of a transaction, because that can take seconds.
	 */
	public Mono<BrandChange.Logo> logo(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.logo(scope, id))
			.flatMap((stored) -> Mono.justOrEmpty(stored.content())
				.switchIfEmpty(Mono.defer(() -> this.blobs.get(name(scope, id))))
				.map((content) -> new BrandChange.Logo(stored.type(), content)))
			.onErrorResume(BlobGone.class, (_) -> Mono.empty());
	}

	/**
	 * Changes the brand. A new logo gets another id, so that its address can be cached
	 * for ever. The id is random: only the links of the account's mails show it.
	 */
	public Mono<Brand> change(Scope scope, BrandChange change) {
		return Mono.defer(() -> {
			BrandChange.@Nullable Logo logo = change.logo();
			if (logo == null) {
				return save(scope, change, null, List.of());
			}
			UUID id = UUID.randomUUID();
			if (!this.blobs.isOutside(logo.content().length)) {
				return save(scope, change, id, List.of());
			}
			Blob blob = new Blob(name(scope, id), logo.content());
			return this.blobs.put(scope, List.of(blob)).then(save(scope, change, id, List.of(blob.name())));
		});
	}

	private Mono<Brand> save(Scope scope, BrandChange change, @Nullable UUID id, List<Blob.Name> outside) {
		return this.transactions.in(scope,
				this.store.save(scope, change, id, !outside.isEmpty(), this.clock.instant())
					.delayUntil((_) -> this.blobs.refer(outside))
					.delayUntil((brand) -> this.audits.record(scope, Act.BRAND_CHANGED, "", details(brand))));
	}

	private static Map<String, Object> details(Brand brand) {
		return Map.of("name", brand.name(), "colour", Objects.toString(brand.colour(), ""), "footer", brand.footer(),
				"languages", brand.languages().stream().map(Language::code).toList(), "logo",
				Objects.toString(brand.logo(), ""));
	}

	private static Blob.Name name(Scope scope, UUID id) {
		return new Blob.Name(scope.account(), id, "logo");
	}

}
