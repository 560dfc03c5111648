package dev.mailroom.upkeep;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** SQL of what members are told of by mail. */
@Repository
class OccasionStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	private final JsonMapper json;

	OccasionStore(JsonMapper json) {
		this.json = json;
	}

	/** Events since a time, in a range of the primary key. */
	@AcrossAccounts("the members of all accounts are told")
	List<Occasion> occasions(JdbcClient jdbc, Instant from) {
		return SqlStatement.of("""
				select event.id, event.account_id, event.kind, event.data::text as data, account.time_zone
				  from event join account on account.id = event.account_id
				 where event.id >= first_id(:from)
				   and event.kind in ('quota.warning', 'quota.reached', 'campaign.sent', 'tracking_domain.failed')
				 order by event.id limit 1000
				""")
			.bind("from", from)
			.list(jdbc,
					(row) -> new Occasion(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
							value(row, "kind", String.class),
							Objects.requireNonNull(this.json.readValue(value(row, "data", String.class), OBJECT)),
							value(row, "time_zone", String.class)));
	}

	/**
	 * Keys that expire in seven days or in one, within half a day: so long names of mails
	 * keep a mail from being repeated.
	 */
	@AcrossAccounts("the members of all accounts are told")
	List<ExpiringKey> expiringKeys(JdbcClient jdbc) {
		return SqlStatement.of("""
				select api_key.id, api_key.account_id, api_key.name, expires_at, days, account.time_zone
				  from (values (1), (7)) as before (days)
				  join api_key on expires_at > now() + days * interval '1 day' - interval '12 hours'
				              and expires_at <= now() + days * interval '1 day'
				  join account on account.id = api_key.account_id
				 limit 1000
				""")
			.list(jdbc,
					(row) -> new ExpiringKey(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
							value(row, "name", String.class), value(row, "expires_at", Instant.class),
							value(row, "days", Integer.class), value(row, "time_zone", String.class)));
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

	/**
	 * An event of which members are told.
	 *
	 * @param timeZone zone of the account
	 */
	record Occasion(UUID id, UUID accountId, String kind, Map<String, Object> data, String timeZone) {
	}

	/**
	 * An API key that expires soon.
	 *
	 * @param days days before its end
	 */
	record ExpiringKey(UUID id, UUID accountId, String name, Instant expiresAt, int days, String timeZone) {
	}

}
