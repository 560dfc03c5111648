package dev.mailroom.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of addresses that get no mail. */
@Command(name = "suppressions", addMethodSubcommands = false,
		description = "List, add and lift suppressions of addresses.")
final class Suppressions {

	private final Session session;

	Suppressions(Session session) {
		this.session = session;
	}

	@Command(description = "List suppressions, newest first.")
	int list(
			@Option(names = "--search", paramLabel = "TEXT",
					description = "A part of the address.") @Nullable String search,
			@Option(names = "--limit", paramLabel = "NUMBER", defaultValue = "100",
					description = "The largest number of suppressions, 100 by default.") int limit) {
		Map<String, @Nullable Object> query = new LinkedHashMap<>();
		query.put("search", search);
		List<Value> found = this.session.api().list(Api.query("/suppressions", query), "suppressions", limit);
		this.session.output()
			.table(found, List.of("ADDRESS", "REASON", "SINCE", "ID"),
					found.stream()
						.map((one) -> List.of(one.at("email").text(), one.at("reason").text(),
								one.at("created_at").time(), one.at("id").text()))
						.toList());
		return 0;
	}

	@Command(description = "Suppress an address.")
	int add(@Parameters(paramLabel = "ADDRESS", description = "The address.") String address) {
		Value added = this.session.api().post("/suppressions", Map.of("email", address)).at("data", "suppression");
		this.session.output().result(added.it(), "Suppressed " + Output.clean(address));
		return 0;
	}

	@Command(description = "Lift the suppression of an address, so that it gets mail again.")
	int remove(@Parameters(paramLabel = "ADDRESS", description = "The address.") String address,
			@Option(names = "--yes", description = "Do not ask.") boolean yes) {
		Api api = this.session.api();
		String[] id = { "" };
		api.each(Api.query("/suppressions", Map.of("search", address)), "suppressions", (one) -> {
			id[0] = one.at("email").raw().equalsIgnoreCase(address) ? one.at("id").raw() : id[0];
			return id[0].isEmpty();
		});
		if (id[0].isEmpty()) {
			throw new Failure(Failure.NOT_FOUND, "not_found", Output.clean(address) + " is not suppressed");
		}
		this.session.confirm(yes, "Send mail to " + Output.clean(address) + " again?");
		api.sdk().suppressions().remove(id[0]);
		this.session.output().result(Map.of("id", id[0], "removed", true), "Lifted " + Output.clean(address));
		return 0;
	}

}
