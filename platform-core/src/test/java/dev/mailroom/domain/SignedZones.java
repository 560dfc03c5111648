package dev.mailroom.domain;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.DSRecord;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Signatures of the zones of a {@link TestDns}, made for each answer: ECDSA P-256, and an
 * NSEC record for exactly the name that has no such records (RFC 4470).
 */
public final class SignedZones {

	private static final Duration DAY = Duration.ofDays(1);

	private final Map<Name, Key> keys = new ConcurrentHashMap<>();

	private final Set<Name> unsigned = ConcurrentHashMap.newKeySet();

	private final Set<Name> expired = ConcurrentHashMap.newKeySet();

	/** Signs a zone, and those above it. */
	public SignedZones sign(String zone) {
		for (Name name = name(zone);; name = new Name(name, 1)) {
			this.keys.computeIfAbsent(name, Key::create);
			if (name.equals(Name.root)) {
				return this;
			}
		}
	}

	/** Begins a zone without signatures inside of a signed one. */
	public SignedZones leaveUnsigned(String zone) {
		this.unsigned.add(name(zone));
		this.keys.remove(name(zone));
		return this;
	}

	/** Lets the signatures of a name expire. */
	public SignedZones expire(String host) {
		this.expired.add(name(host));
		return this;
	}

	/** Ends all signatures, as name servers do that do not know DNSSEC. */
	public void strip() {
		this.keys.clear();
	}

	/** The data of a DS record with the key of the root zone. */
	public String anchor() {
		return ds(Name.root).rdataToString();
	}

	private DSRecord ds(Name zone) {
		return new DSRecord(zone, DClass.IN, 1, DNSSEC.Digest.SHA256, this.keys.get(zone).record());
	}

	private static Name name(String host) {
		try {
			return Name.fromString(host, Name.root);
		}
		catch (TextParseException ex) {
			throw new IllegalArgumentException(host, ex);
		}
	}

	/**
	 * Adds keys and signatures to an answer, if the client wants them.
	 * @param types types of the records of a name
	 */
	void sign(Message query, Message answer, Function<Name, List<Integer>> types) {
		Name asked = query.getQuestion().getName();
		int type = query.getQuestion().getType();
		@Nullable Key key = this.keys.get(asked);
		if (key != null && type == Type.DNSKEY) {
			answer.addRecord(key.record(), Section.ANSWER);
		}
		if (key != null && type == Type.DS && !asked.equals(Name.root)) {
			answer.addRecord(ds(asked), Section.ANSWER);
		}
		@Nullable OPTRecord options = query.getOPT();
		if (this.keys.isEmpty() || options == null || (options.getFlags() & ExtendedFlags.DO) == 0) {
			return;
		}
		Name last = asked;
		for (Record record : answer.getSection(Section.ANSWER)) {
			last = (record instanceof CNAMERecord alias && type != Type.CNAME) ? alias.getTarget() : record.getName();
		}
		Name owner = last;
		@Nullable Name zone = zone(owner, type);
		boolean found = answer.getSection(Section.ANSWER).stream().anyMatch((record) -> record.getType() == type);
		if (!found && zone != null) {
			answer.getHeader().setRcode(Rcode.NOERROR);
			answer.addRecord(soa(zone), Section.AUTHORITY);
			answer.addRecord(denial(owner, type, types.apply(owner)), Section.AUTHORITY);
		}
		else if (!found) {
			Name cut = owner;
			while (!this.unsigned.contains(cut) && !cut.equals(Name.root)) {
				cut = new Name(cut, 1);
			}
			answer.addRecord(soa(cut), Section.AUTHORITY);
		}
		else {
			answer.getHeader().setRcode(Rcode.NOERROR);
		}
		sign(answer, Section.ANSWER, (set) -> zone(set.getName(), set.getType()));
		// The zone above denies the keys of a zone without signatures.
		sign(answer, Section.AUTHORITY, (_) -> zone);
	}

	private static SOARecord soa(Name zone) {
		return new SOARecord(zone, DClass.IN, 1, zone, zone, 1, 60, 60, 60, 1);
	}

	/** The zone whose key signs records; null if they are not signed. */
	private @Nullable Name zone(Name owner, int type) {
		Name name = (type == Type.DS && !owner.equals(Name.root)) ? new Name(owner, 1) : owner;
		while (!this.keys.containsKey(name)) {
			if (this.unsigned.contains(name) || name.equals(Name.root)) {
				return null;
			}
			name = new Name(name, 1);
		}
		return name;
	}

	private NSECRecord denial(Name owner, int type, List<Integer> others) {
		Set<Integer> types = new TreeSet<>(List.of(Type.RRSIG, Type.NSEC));
		if (type != Type.DS || !this.unsigned.contains(owner)) {
			types.addAll(others);
		}
		if (this.unsigned.contains(owner)) {
			types.add(Type.NS);
		}
		else if (this.keys.containsKey(owner)) {
			types.addAll((type == Type.DS) ? List.of(Type.NS) : List.of(Type.NS, Type.SOA, Type.DNSKEY));
		}
		types.remove(type);
		try {
			Name next = Name.concatenate(Name.fromConstantString("\\000"), owner);
			return new NSECRecord(owner, DClass.IN, 1, next, types.stream().mapToInt(Integer::intValue).toArray());
		}
		catch (NameTooLongException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void sign(Message answer, int section, Function<RRset, @Nullable Name> zones) {
		for (RRset set : answer.getSectionRRsets(section)) {
			@Nullable Name zone = zones.apply(set);
			if (zone != null) {
				Key key = this.keys.get(zone);
				Instant end = this.expired.contains(set.getName()) ? Instant.now().minus(DAY) : Instant.now().plus(DAY);
				try {
					answer.addRecord(DNSSEC.sign(set, key.record(), key.pair().getPrivate(),
							end.minus(DAY.multipliedBy(2)), end), section);
				}
				catch (DNSSEC.DNSSECException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}
	}

	private record Key(DNSKEYRecord record, KeyPair pair) {

		static Key create(Name zone) {
			try {
				KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
				generator.initialize(new ECGenParameterSpec("secp256r1"));
				KeyPair pair = generator.generateKeyPair();
				return new Key(
						new DNSKEYRecord(zone, DClass.IN, 1, DNSKEYRecord.Flags.ZONE_KEY | DNSKEYRecord.Flags.SEP_KEY,
								DNSKEYRecord.Protocol.DNSSEC, DNSSEC.Algorithm.ECDSAP256SHA256, pair.getPublic()),
						pair);
			}
			catch (GeneralSecurityException | DNSSEC.DNSSECException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
