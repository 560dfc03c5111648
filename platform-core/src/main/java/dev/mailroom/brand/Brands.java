package dev.mailroom.brand;

import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import dev.mailroom.image.Picture;
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
	public Mono<Picture> logo(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.logo(scope, id))
			.flatMap((stored) -> this.blobs.content(stored.content(), name(scope, id))
				.map((content) -> new Picture(stored.type(), content)));
	}

	/**
	 * Changes the brand. A new logo gets another id, so that its address can be cached
	 * for ever. The id is random: only the links of the account's mails show it.
	 */
	public Mono<Brand> change(Scope scope, BrandChange change) {
		return Mono.defer(() -> {
			@Nullable Picture logo = change.logo();
			if (logo == null) {
				return this.transactions.in(scope, save(scope, change, null, false));
			}
			UUID id = UUID.randomUUID();
			return this.blobs.save(scope, new Blob(name(scope, id), logo.content()),
					(outside) -> save(scope, change, id, outside));
		});
	}

	private Mono<Brand> save(Scope scope, BrandChange change, @Nullable UUID id, boolean outside) {
		return this.store.save(scope, change, id, outside, this.clock.instant())
			.delayUntil((brand) -> this.audits.record(scope, Act.BRAND_CHANGED, "", details(brand)));
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
