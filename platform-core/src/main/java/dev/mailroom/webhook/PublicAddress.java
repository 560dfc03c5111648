package dev.mailroom.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Distinguishes addresses of the public internet from special-purpose addresses
 * (registries of RFC 6890). Calls to tenants' URLs must not reach hosts of the internal
 * network.
 */
public final class PublicAddress {

	private static final List<Block> PRIVATE_V4 = blocks("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8",
			"169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
			"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3");

	/** The block that contains all allocated unicast addresses. */
	private static final Block GLOBAL_V6 = Block.of("2000::/3");

	/**
	 * Blocks that are not public, and those that embed an IPv4 address (Teredo, 6to4).
	 */
	private static final List<Block> PRIVATE_V6 = blocks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

	private PublicAddress() {
	}

	/** Whether the address is globally reachable. */
	public static boolean is(InetAddress address) {
		byte[] bytes = address.getAddress();
		return (address instanceof Inet4Address) ? isOutside(PRIVATE_V4, bytes)
				: GLOBAL_V6.contains(bytes) && isOutside(PRIVATE_V6, bytes);
	}

	private static boolean isOutside(List<Block> blocks, byte[] address) {
		return blocks.stream().noneMatch((block) -> block.contains(address));
	}

	private static List<Block> blocks(String... texts) {
		return List.of(texts).stream().map(Block::of).toList();
	}

	private record Block(InetAddress start, int bits) {

		static Block of(String text) {
			int slash = text.indexOf('/');
			return new Block(InetAddress.ofLiteral(text.substring(0, slash)),
					Integer.parseInt(text.substring(slash + 1)));
		}

		boolean contains(byte[] address) {
			byte[] first = this.start.getAddress();
			for (int i = 0; i < this.bits; i++) {
				int mask = 0x80 >> (i % Byte.SIZE);
				if ((address[i / Byte.SIZE] & mask) != (first[i / Byte.SIZE] & mask)) {
					return false;
				}
			}
			return true;
		}

	}

}
