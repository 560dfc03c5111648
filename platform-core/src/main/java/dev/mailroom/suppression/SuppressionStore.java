package dev.mailroom.suppression;

import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class SuppressionStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	SuppressionStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	@AcrossAccounts("recipients of a group, each with its own account; the policy guards the rest")
	Flux<Target> among(List<Target> targets) {
		return this.database.sql("""
				select account_id, address from suppression
				  join unnest(:accounts::uuid[], :addresses::text[]) as target(account_id, address)
				 using (account_id, address)
				""")
			.bind("accounts", targets.stream().map(Target::accountId).toArray(UUID[]::new))
			.bind("addresses", targets.stream().map(Target::address).toArray(String[]::new))
			.mapProperties(Target.class)
			.all();
	}

	@AcrossAccounts("those that a group's outcomes suppress, each with its own account")
	Mono<Void> add(List<Suppressed> suppressed) {
		return this.database.sql("""
				insert into suppression (id, account_id, address, reason, created_at)
				select distinct on (account_id, address) id, account_id, address, reason, now()
				  from unnest(:ids::uuid[], :accounts::uuid[], :addresses::text[], :reasons::text[])
				       as suppressed(id, account_id, address, reason)
				 order by account_id, address
				on conflict (account_id, address) do nothing
				""")
			.bind("ids", suppressed.stream().map((_) -> this.ids.generate()).toArray(UUID[]::new))
			.bind("accounts", suppressed.stream().map((one) -> one.target().accountId()).toArray(UUID[]::new))
			.bind("addresses", suppressed.stream().map((one) -> one.target().address()).toArray(String[]::new))
			.bind("reasons", suppressed.stream().map(Suppressed::reason).toArray(String[]::new))
			.then();
	}

}
