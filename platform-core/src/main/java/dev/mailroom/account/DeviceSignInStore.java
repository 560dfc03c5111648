package dev.mailroom.account;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the sign-ins of programs. Its transactions span accounts. */
@Repository
@AcrossAccounts("a sign-in belongs to no account before it is approved, and is found by its codes")
class DeviceSignInStore {

	private final DatabaseClient database;

	DeviceSignInStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Inserts a sign-in.
	 * @param most the number of pending ones above which none is added
	 * @return whether it was inserted
	 */
	Mono<Boolean> insert(byte[] device, byte[] code, DeviceSignIn asked, Duration interval, int most) {
		return this.database.sql("""
				insert into device_sign_in (device_hash, code_hash, program, device, address, requested, created_at,
				                            expires_at, interval_seconds)
				select :device, :code, :program, :from, :address, :requested, :created, :expires, :interval
				 where (select count(*) from device_sign_in where expires_at > now()) < :most
				""")
			.bind("device", device)
			.bind("code", code)
			.bind("program", asked.program())
			.bind("from", asked.device())
			.bind("address", asked.address())
			.bind("requested", asked.requested().toArray(String[]::new))
			.bind("created", asked.createdAt())
			.bind("expires", asked.expiresAt())
			.bind("interval", (int) interval.toSeconds())
			.bind("most", most)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Records a poll, and lengthens the interval if it came too early. */
	Mono<Polled> poll(byte[] device, String program, Duration more) {
		return this.database.sql("""
				with polled as (
				    select device_hash, expires_at <= now() as expired,
				           coalesce(polled_at + make_interval(secs => interval_seconds) > now(), false) as early
				      from device_sign_in where device_hash = :device and program = :program for update)
				update device_sign_in as stored
				   set polled_at = now(),
				       interval_seconds = interval_seconds + case when early and state = 'pending' then :more else 0 end
				  from polled where stored.device_hash = polled.device_hash
				returning state, expired, early, address, device, stored.account_id, person_id, key_name, permissions,
				          key_expires_at
				""")
			.bind("device", device)
			.bind("program", program)
			.bind("more", (int) more.toSeconds())
			.map((row) -> new Polled(Objects.requireNonNull(row.get("state", String.class)),
					Boolean.TRUE.equals(row.get("expired", Boolean.class)),
					Boolean.TRUE.equals(row.get("early", Boolean.class)),
					Objects.requireNonNull(row.get("address", String.class)), row.get("account_id", UUID.class),
					row.get("person_id", UUID.class), row.get("key_name", String.class),
					row.get("permissions", String[].class), row.get("key_expires_at", Instant.class)))
			.one();
	}

	/** Deletes a sign-in. Of concurrent polls one succeeds. */
	Mono<Boolean> delete(byte[] device) {
		return this.database.sql("delete from device_sign_in where device_hash = :device")
			.bind("device", device)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** The pending sign-in with a code. */
	Mono<DeviceSignIn> find(byte[] code) {
		return this.database.sql("""
				select program, device, address, requested, created_at, expires_at from device_sign_in
				 where code_hash = :code and state = 'pending' and expires_at > now()
				""").bind("code", code).mapProperties(DeviceSignIn.class).one();
	}

	/** Approves a pending sign-in; false if there is none with the code. */
	Mono<Boolean> approve(byte[] code, Scope scope, ApiKeys.Wanted key) {
		DatabaseClient.GenericExecuteSpec approve = this.database.sql("""
				update device_sign_in
				   set state = 'approved', account_id = :account, person_id = :person, key_name = :name,
				       permissions = :permissions, key_expires_at = :expires
				 where code_hash = :code and state = 'pending' and expires_at > now()
				""")
			.bind("code", code)
			.bind("account", scope.account())
			.bind("person", scope.person().account())
			.bind("name", key.name())
			.bind("permissions", key.permissions().toArray(String[]::new));
		return ((key.expiresAt() != null) ? approve.bind("expires", key.expiresAt())
				: approve.bindNull("expires", Instant.class))
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Denies a pending sign-in; false if there is none with the code. */
	Mono<Boolean> deny(byte[] code) {
		return this.database.sql("""
				update device_sign_in set state = 'denied'
				 where code_hash = :code and state = 'pending' and expires_at > now()
				""").bind("code", code).fetch().rowsUpdated().map((rows) -> rows > 0);
	}

	/**
	 * A sign-in when its program asks for the key.
	 *
	 * @param early whether the program did not wait as long as it had to
	 * @param account null unless it is approved
	 */
	record Polled(String state, boolean expired, boolean early, String address, @Nullable UUID account,
			@Nullable UUID person, @Nullable String keyName, String @Nullable [] permissions,
			@Nullable Instant keyExpiresAt) {

		List<@Nullable String> keyPermissions() {
			return (this.permissions != null) ? List.of(this.permissions) : List.of();
		}

	}

}
