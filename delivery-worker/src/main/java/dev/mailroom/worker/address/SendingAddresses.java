package dev.mailroom.worker.address;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.worker.dns.BlockingResolver;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * The addresses from which the mail of this installation leaves, as receivers see them:
 * the configured ones, or else those that the name in EHLO has in DNS. The address of a
 * network interface is not used, because behind NAT it is another one.
 */
final class SendingAddresses {

	private final AddressSettings settings;

	private final BlockingResolver resolver;

	SendingAddresses(AddressSettings settings, BlockingResolver resolver) {
		this.settings = settings;
		this.resolver = resolver;
	}

	/**
	 * All addresses, each with its name in EHLO.
	 * @throws IOException if the name servers do not answer
	 */
	List<SendingAddress> all() throws IOException {
		List<InetAddress> addresses = !this.settings.sendingAddresses().isEmpty()
				? this.settings.sendingAddresses().stream().map(InetAddress::ofLiteral).toList()
				: of(this.resolver, this.settings.helo());
		return addresses.stream().map((address) -> new SendingAddress(address, this.settings.helo())).toList();
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
