package dev.mailroom.worker.address;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.addresscheck.AddressCheck.Finding;
import dev.mailroom.addresscheck.AddressCheck.Kind;
import dev.mailroom.addresscheck.AddressCheck.Result;
import dev.mailroom.worker.address.SendingAddresses.SendingAddress;
import dev.mailroom.worker.dns.BlockingResolver;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Type;

/**
 * Checks of the name of an address: receivers expect one (RFC 1912 section 2.1) that
 * leads back to the address, and is neither a customer's of a provider nor another than
 * that of EHLO.
 */
final class ReverseDns {

	private final BlockingResolver resolver;

	ReverseDns(BlockingResolver resolver) {
		this.resolver = resolver;
	}

	/** The findings about an address. */
	List<Finding> check(SendingAddress source) {
		List<String> names;
		try {
			names = names(source.address());
		}
		catch (IOException _) {
			return unknown(source, Kind.PTR, Kind.FORWARD, Kind.HELO, Kind.GENERIC);
		}
		if (names.isEmpty()) {
			return List.of(Finding.of(source.text(), Kind.PTR, Result.FAILED, "The address has no PTR record."));
		}
		String shown = String.join(", ", names);
		List<Finding> findings = new ArrayList<>();
		findings.add(Finding.of(source.text(), Kind.PTR, Result.OK, "The name of the address is " + shown + "."));
		findings.add(forward(source, names, shown));
		boolean greets = names.contains(source.helo());
		findings.add(Finding.of(source.text(), Kind.HELO, greets ? Result.OK : Result.WARNING,
				greets ? "EHLO gives the name " + source.helo() + "."
						: "EHLO gives the name " + source.helo() + ", and the PTR record " + shown + "."));
		boolean generic = names.stream().anyMatch((name) -> isGeneric(name, source.address()));
		findings.add(Finding.of(source.text(), Kind.GENERIC, generic ? Result.WARNING : Result.OK,
				generic ? "The name " + shown + " contains the digits of the address."
						: "The name does not contain the digits of the address."));
		return findings;
	}

	private Finding forward(SendingAddress source, List<String> names, String shown) {
		boolean answered = true;
		for (String name : names) {
			try {
				if (SendingAddresses.of(this.resolver, name).contains(source.address())) {
					return Finding.of(source.text(), Kind.FORWARD, Result.OK, name + " has the address.");
				}
			}
			catch (IOException _) {
				answered = false;
			}
		}
		return answered
				? Finding.of(source.text(), Kind.FORWARD, Result.FAILED, shown + " does not lead back to the address.")
				: unknown(source, Kind.FORWARD).getFirst();
	}

	private List<String> names(InetAddress address) throws IOException {
		return this.resolver.records(name(address), Type.PTR)
			.stream()
			.filter(PTRRecord.class::isInstance)
			.map((record) -> ((PTRRecord) record).getTarget().toString(true).toLowerCase(Locale.ROOT))
			.distinct()
			.toList();
	}

	/** The name of an address in reverse DNS, without the final dot. */
	static String name(InetAddress address) {
		return ReverseMap.fromAddress(address).toString(true);
	}

	/**
	 * Whether a name contains the numbers of an address of IPv4, in order or in reverse,
	 * or its eight hexadecimal digits.
	 */
	static boolean isGeneric(String name, InetAddress address) {
		if (!(address instanceof Inet4Address)) {
			return false;
		}
		List<String> numbers = List.of(address.getHostAddress().split("\\.", -1));
		String hex = new BigInteger(1, address.getAddress()).toString(16);
		return contains(name, numbers) || contains(name, numbers.reversed())
				|| name.contains("0".repeat(8 - hex.length()) + hex);
	}

	private static boolean contains(String name, List<String> numbers) {
		String pattern = numbers.stream().map((number) -> "0*" + number).collect(Collectors.joining("\\D+"));
		return Pattern.compile("(?<!\\d)" + pattern + "(?!\\d)").matcher(name).find();
	}

	private static List<Finding> unknown(SendingAddress source, Kind... kinds) {
		return List.of(kinds)
			.stream()
			.map((kind) -> Finding.of(source.text(), kind, Result.UNKNOWN, "The name servers did not answer."))
			.toList();
	}

}
