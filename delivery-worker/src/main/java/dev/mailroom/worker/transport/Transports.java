package dev.mailroom.worker.transport;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.queue.Route;
import dev.mailroom.queue.TransportKind;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** All ways for mail to leave, and which of them a mail goes by. */
@Component
public class Transports {

	private final List<Transport> all;

	private final Map<String, Transport> named;

	private final Transport usual;

	@Autowired
	Transports(List<Transport> all, TransportSettings settings) {
		this(all, settings.transport());
	}

	/**
	 * All that there are.
	 * @param usual the name of the platform's own
	 */
	public Transports(List<Transport> all, String usual) {
		this.all = List.copyOf(all);
		this.named = all.stream().collect(Collectors.toMap(Transport::name, Function.identity()));
		this.usual = this.named.getOrDefault(usual, all.getFirst());
		if (!this.usual.name().equals(usual)) {
			throw new IllegalArgumentException("MAILROOM_TRANSPORT is one of " + this.named.keySet());
		}
	}

	/** The name of the platform's own. */
	public String usual() {
		return this.usual.name();
	}

	/** The names of those that can be chosen. */
	public List<String> choices() {
		return this.all.stream().filter(Transport::isChoice).map(Transport::name).sorted().toList();
	}

	/**
	 * The way that a mail goes by: of one that claims it, else the domain's or the
	 * account's choice, else the platform's.
	 */
	public Transport of(Route route) {
		for (Transport one : this.all) {
			if (one.claims(route)) {
				return one;
			}
		}
		TransportKind chosen = route.transport();
		return (chosen != null) ? this.named.getOrDefault(chosen.wire(), this.usual) : this.usual;
	}

}
