package dev.mailroom.worker.address;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.addresscheck.AddressCheck.Finding;
import dev.mailroom.addresscheck.AddressCheck.Kind;
import dev.mailroom.addresscheck.AddressCheck.Result;
import dev.mailroom.addresscheck.AddressChecks;
import dev.mailroom.addresscheck.BlockList;
import dev.mailroom.domain.NameServers;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSources;
import dev.mailroom.worker.address.BlockLists.Asked;
import dev.mailroom.worker.address.SendingAddresses.SendingAddress;
import dev.mailroom.worker.dns.SpfPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Checks the sending addresses each hour and on request, and their domains once a day. A
 * list is tested before it is asked, at least once a day. Nothing follows from a name
 * server that does not answer.
 */
@Component
public class AddressProbes {

	private static final Logger log = LoggerFactory.getLogger(AddressProbes.class);

	/** Time after which the addresses of the name in EHLO are looked up again. */
	private static final Duration RETRY = Duration.ofMinutes(10);

	private final AddressChecks checks;

	private final AddressSettings settings;

	private final SendingSources sources;

	private final SendingAddresses addresses;

	private final ReverseDns reverse;

	private final SpfPolicy spf;

	private final BlockLists lists;

	private volatile long next = System.nanoTime();

	@Autowired
	AddressProbes(AddressChecks checks, AddressSettings settings, NameServers servers, SendingSources sources) {
		this(checks, settings, servers, sources, PacedResolver.INTERVAL);
	}

	AddressProbes(AddressChecks checks, AddressSettings settings, NameServers servers, SendingSources sources,
			Duration interval) {
		this.checks = checks;
		this.settings = settings;
		this.sources = sources;
		PacedResolver resolver = new PacedResolver(servers, interval);
		this.addresses = new SendingAddresses(settings, resolver, sources::known);
		this.reverse = new ReverseDns(resolver);
		this.spf = new SpfPolicy(resolver);
		this.lists = new BlockLists(resolver, settings.spamhausKey());
	}

	/**
	 * Checks what is due, and pauses listed addresses if that is configured.
	 * @return the number of addresses that were checked
	 */
	public long run() {
		long checked = check();
		for (SendingSource changed : this.sources.pauseListed(this.settings.pauseListed())) {
			if (changed.listedOn() != null) {
				log.warn("The sending address {} is paused while it is listed by {}", changed.name(),
						changed.listedOn());
			}
			else {
				log.info("The sending address {} is no longer paused because of a block list", changed.name());
			}
		}
		return checked;
	}

	private long check() {
		if (System.nanoTime() - this.next < 0 || !this.addresses.isConfigured() || !this.checks.isDue()) {
			return 0;
		}
		List<SendingAddress> sources = sources();
		if (sources.isEmpty()) {
			this.next = System.nanoTime() + RETRY.toNanos();
			return 0;
		}
		Set<String> usable = this.checks.tested().stream().map(BlockList::name).collect(Collectors.toSet());
		List<Asked> untested = this.lists.asked().stream().filter((list) -> !usable.contains(list.name())).toList();
		this.checks.keep(this.lists.asked().stream().map(Asked::name).toList());
		List<BlockList> tests = new ArrayList<>();
		for (Asked list : untested) {
			BlockList.State state = this.lists.test(list);
			tests.add(list.tested(state));
			if (state == BlockList.State.ON) {
				usable.add(list.name());
			}
		}
		this.checks.saveAddresses(sources.stream().flatMap((source) -> check(source, usable)).toList());
		// Domains are asked after a test, which is then repeated a day later.
		untested.stream()
			.filter((list) -> list.kind() == BlockList.Kind.DOMAIN && usable.contains(list.name()))
			.forEach((list) -> this.checks.saveDomains(list.name(), domains(list)));
		tests.forEach(this.checks::save);
		return sources.size();
	}

	private List<SendingAddress> sources() {
		try {
			List<SendingAddress> found = this.addresses.all();
			if (found.isEmpty()) {
				log.warn("No sending address is checked: {} has none in DNS. Name them in MAILROOM_SENDING_ADDRESSES",
						this.settings.helo());
			}
			return found;
		}
		catch (IOException ex) {
			log.warn("The sending addresses are checked later: {}", ex.getMessage());
			return List.of();
		}
	}

	private Stream<Finding> check(SendingAddress source, Set<String> usable) {
		Stream<Finding> listed = this.lists.asked()
			.stream()
			.filter((list) -> list.kind() == BlockList.Kind.ADDRESS && list.takes(source.address()))
			.map((list) -> usable.contains(list.name()) ? this.lists.ask(list, source.address())
					: new Finding(source.text(), Kind.LIST, list.name(), Result.UNKNOWN,
							"The list did not pass its test and is not asked."));
		return Stream
			.of(this.reverse.check(source).stream(),
					Stream.of(spf(source, Kind.SPF, "postmaster@" + this.settings.spfInclude(),
							this.settings.spfInclude()), spf(source, Kind.HELO_SPF, "", source.helo())),
					listed)
			.flatMap(Function.identity());
	}

	private Finding spf(SendingAddress source, Kind kind, String sender, String name) {
		String result = this.spf.result(source.address(), sender, source.helo());
		return switch (result) {
			case "pass" ->
				Finding.of(source.text(), kind, Result.OK, "The SPF record of " + name + " permits the address.");
			case "temperror" ->
				Finding.of(source.text(), kind, Result.UNKNOWN, "The name servers did not answer for " + name + ".");
			case "none" -> Finding.of(source.text(), kind, (kind == Kind.SPF) ? Result.FAILED : Result.WARNING,
					name + " has no SPF record.");
			default -> Finding.of(source.text(), kind, Result.FAILED,
					"The SPF record of " + name + " does not permit the address (" + result + ").");
		};
	}

	/**
	 * All findings about the platform's domains, and those about listed ones of tenants.
	 */
	private List<Finding> domains(Asked list) {
		List<Finding> findings = new ArrayList<>();
		Set<String> seen = new HashSet<>();
		for (String own : this.settings.ownDomains()) {
			seen.add(own);
			findings.add(this.lists.ask(list, own));
		}
		for (String domain : this.checks.sendingDomains()) {
			if (seen.add(domain)) {
				Finding finding = this.lists.ask(list, domain);
				if (finding.result() == Result.FAILED || finding.result() == Result.WARNING) {
					findings.add(finding);
				}
			}
		}
		return findings;
	}

}
