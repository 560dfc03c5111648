package dev.mailroom.suppression;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class SuppressionStore {

	private final DatabaseClient database;

	SuppressionStore(DatabaseClient database) {
		this.database = database;
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

}
