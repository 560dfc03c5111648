package dev.mailroom.brand;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Scope;
import dev.mailroom.image.Picture;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of brands. */
@Repository
class BrandStore {

	private final DatabaseClient database;

	BrandStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Brand> find(Scope scope) {
		return this.database
			.sql("select name, colour, footer, languages, logo_id from brand where account_id = :account")
			.bind("account", scope.account())
			.map(BrandStore::brand)
			.one();
	}

	/** The logo of this id; empty if the account has another one by now, or none. */
	Mono<StoredLogo> logo(Scope scope, UUID id) {
		return this.database.sql("select logo_type, logo from brand where account_id = :account and logo_id = :id")
			.bind("account", scope.account())
			.bind("id", id)
			.map((row) -> new StoredLogo(Objects.requireNonNull(row.get("logo_type", String.class)),
					row.get("logo", byte[].class)))
			.one();
	}

	/**
	 * Saves the settings of an account.
	 * @param id the id of the new logo; null without one
	 * @param outside whether the new logo is in the bucket
	 */
	Mono<Brand> save(Scope scope, BrandChange change, @Nullable UUID id, boolean outside, Instant now) {
		Brand brand = change.brand();
		@Nullable Picture logo = change.logo();
		GenericExecuteSpec sql = this.database
			.sql("""
					insert into brand as saved (account_id, name, colour, footer, languages, logo_id, logo_type, logo, updated_at)
					values (:account, :name, :colour, :footer, :languages, :logo_id, :logo_type, :logo, :now)
					on conflict (account_id) do update
					   set name = excluded.name, colour = excluded.colour, footer = excluded.footer,
					       languages = excluded.languages, updated_at = excluded.updated_at,
					       logo_id = case when :keeps then saved.logo_id else excluded.logo_id end,
					       logo_type = case when :keeps then saved.logo_type else excluded.logo_type end,
					       logo = case when :keeps then saved.logo else excluded.logo end
					returning name, colour, footer, languages, logo_id
					""")
			.bind("account", scope.account())
			.bind("name", brand.name())
			.bind("footer", brand.footer())
			.bind("languages", brand.languages().stream().map(Language::code).toArray(String[]::new))
			.bind("keeps", change.keepsLogo())
			.bind("now", now);
		sql = value(sql, "colour", (brand.colour() != null) ? brand.colour().toString() : null, String.class);
		sql = value(sql, "logo_id", id, UUID.class);
		sql = value(sql, "logo_type", (logo != null) ? logo.type() : null, String.class);
		sql = value(sql, "logo", (logo != null && !outside) ? logo.content() : null, byte[].class);
		return sql.map(BrandStore::brand).one();
	}

	private static Brand brand(Readable row) {
		@Nullable String colour = row.get("colour", String.class);
		List<Language> languages = Stream.of(Objects.requireNonNull(row.get("languages", String[].class)))
			.map(Language::of)
			.toList();
		return new Brand(Objects.requireNonNull(row.get("name", String.class)),
				(colour != null) ? Colour.parse(colour).orElseThrow() : null,
				Objects.requireNonNull(row.get("footer", String.class)), languages, row.get("logo_id", UUID.class));
	}

	private static <T> GenericExecuteSpec value(GenericExecuteSpec sql, String name, @Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	/**
	 * A logo as its row has it.
	 *
	 * @param content null if it is in the bucket
	 */
	record StoredLogo(String type, byte @Nullable [] content) {
	}

}
