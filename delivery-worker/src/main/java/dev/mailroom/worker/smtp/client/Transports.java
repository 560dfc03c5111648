package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.WrongSetting;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** All transports, and the choice of one for each mail. */
@Component
public class Transports {

	private final List<Transport> all;

	private final Map<String, Transport> byName;

	private final Transport usual;

	/**
	 * Creates the choice.
	 * @param usual relay or mx; used if neither the domain nor the account chooses one
	 * @throws WrongSetting if there is no transport of that name
	 */
	public Transports(List<Transport> all, @Value("${mailroom.transport:relay}") String usual) {
		this.all = List.copyOf(all);
		this.byName = all.stream().collect(Collectors.toMap(Transport::name, Function.identity()));
		this.usual = this.byName.getOrDefault(usual, all.getFirst());
		if (!this.usual.name().equals(usual)) {
			throw new WrongSetting("MAILROOM_TRANSPORT", usual, "one of " + this.byName.keySet());
		}
	}

	/** Longest time from the beginning of a hand-over to its outcome. */
	public Duration handOverLimit() {
		return this.all.stream().map(Transport::handOverLimit).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	/** Time for which mail of this route cannot be sent; empty if it can be sent now. */
	public Optional<Duration> closedFor(Route route) {
		return of(route).closedFor(route);
	}

	/** The connections of a transport to the servers of a domain. */
	Transport.Link link(String name, String domain) {
		@Nullable Transport transport = this.byName.get(name);
		return (transport != null) ? transport.link(domain) : Transport.Link.NONE;
	}

	/**
	 * Transport of a mail: one that claims it, else the domain's or the account's choice,
	 * else the platform's default.
	 */
	public Transport of(Route route) {
		for (Transport transport : this.all) {
			if (transport.claims(route)) {
				return transport;
			}
		}
		TransportKind chosen = route.transport();
		return (chosen != null) ? this.byName.getOrDefault(chosen.contractName(), this.usual) : this.usual;
	}

}
