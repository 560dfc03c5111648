package dev.mailroom.account;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

import dev.mailroom.WrongSetting;

/**
 * Addresses and networks of a setting.
 *
 * @param networks addresses, or networks as address/bits
 */
public record Networks(List<String> networks) {

	/** Networks without any address. */
	public static final Networks NONE = new Networks(List.of());

	public Networks {
		networks = networks.stream().map(String::strip).filter((network) -> !network.isEmpty()).toList();
	}

	/**
	 * Reads the networks of a setting.
	 * @param variable environment variable of the setting, for the error message
	 * @throws WrongSetting if one is neither an address nor a network
	 */
	public static Networks of(String variable, List<String> values) {
		Networks networks = new Networks(values);
		for (String network : networks.networks) {
			try {
				contains(network, InetAddress.ofLiteral(network.split("/", 2)[0]).getAddress());
			}
			catch (IllegalArgumentException | IndexOutOfBoundsException _) {
				throw new WrongSetting(variable, network,
						"an address, or a network as address/bits; several are separated by commas");
			}
		}
		return networks;
	}

	/** Whether an address belongs to one of the networks. */
	public boolean contain(InetAddress address) {
		return this.networks.stream().anyMatch((network) -> contains(network, address.getAddress()));
	}

	private static boolean contains(String text, byte[] address) {
		String[] parts = text.split("/", 2);
		byte[] network = InetAddress.ofLiteral(parts[0]).getAddress();
		int bits = (parts.length == 2) ? Integer.parseInt(parts[1]) : network.length * Byte.SIZE;
		int whole = bits / Byte.SIZE;
		int mask = 0xff00 >> (bits % Byte.SIZE) & 0xff;
		return network.length == address.length && Arrays.equals(network, 0, whole, address, 0, whole)
				&& (mask == 0 || (network[whole] & mask) == (address[whole] & mask));
	}

}
