package dev.mailroom.worker.address;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.worker.dns.BlockingResolver;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * The addresses from which the mail of this installation leaves, as receivers see them:
 * those of operators, and the configured ones or else those that the name in EHLO has in
 * DNS. The address of a network interface is not used, because behind NAT it is another
 * one.
 */
final class SendingAddresses {

	private final AddressSettings settings;

	private final BlockingResolver resolver;

	private final Supplier<SendingPools> known;

	SendingAddresses(AddressSettings settings, BlockingResolver resolver, Supplier<SendingPools> known) {
		this.settings = settings;
		this.resolver = resolver;
		this.known = known;
	}

	/** Whether there are addresses. */
	boolean isConfigured() {
		return this.settings.isConfigured() || !this.known.get().sources().isEmpty();
	}

	/**
	 * All addresses, each with its name in EHLO.
	 * @throws IOException if the name servers do not answer
	 */
	List<SendingAddress> all() throws IOException {
		List<InetAddress> addresses = !this.settings.isConfigured() ? List.of()
				: !this.settings.sendingAddresses().isEmpty()
						? this.settings.sendingAddresses().stream().map(InetAddress::ofLiteral).toList()
						: of(this.resolver, this.settings.helo());
		Map<InetAddress, SendingAddress> all = new LinkedHashMap<>();
		this.known.get()
			.sources()
			.values()
			.stream()
			.sorted(Comparator.comparing(SendingSource::name))
			.forEach((source) -> {
				add(all, source.publicV4(), source.v4(), source.helo());
				add(all, source.publicV6(), source.v6(), source.helo());
			});
		addresses.forEach((address) -> all.putIfAbsent(address, new SendingAddress(address, this.settings.helo())));
		return List.copyOf(all.values());
	}

	/** Adds an address unless receivers see another one that is not named. */
	private static void add(Map<InetAddress, SendingAddress> all, @Nullable String seen, @Nullable String local,
			String helo) {
		@Nullable String text = (seen != null) ? seen : local;
		if (text != null) {
			InetAddress address = InetAddress.ofLiteral(text);
			if (AddressSettings.isSeen(address)) {
				all.put(address, new SendingAddress(address, helo));
			}
		}
	}

	/** The addresses of a name. */
	static List<InetAddress> of(BlockingResolver resolver, String name) throws IOException {
		return Stream.concat(resolver.records(name, Type.A).stream(), resolver.records(name, Type.AAAA).stream())
			.map(SendingAddresses::address)
			.flatMap(Stream::ofNullable)
			.toList();
	}

	private static @Nullable InetAddress address(Record record) {
		return switch (record) {
			case ARecord a -> a.getAddress();
			case AAAARecord aaaa -> aaaa.getAddress();
			default -> null;
		};
	}

	/**
	 * An address from which mail leaves.
	 *
	 * @param helo the name that its sessions give in EHLO
	 */
	record SendingAddress(InetAddress address, String helo) {

		/** The address as text, which names it in results. */
		String text() {
			return this.address.getHostAddress();
		}

	}

}
