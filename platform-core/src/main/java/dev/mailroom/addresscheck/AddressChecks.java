package dev.mailroom.addresscheck;

import java.util.Collection;
import java.util.List;

import dev.mailroom.addresscheck.AddressCheck.Finding;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Checks of the addresses from which mail is sent, and of the block lists that are asked.
 * A worker makes the queries and saves the findings; operators read them and ask for
 * more.
 */
@Service
public class AddressChecks {

	private final AddressCheckStore store;

	private final Transactions transactions;

	private final JdbcTransactions blocking;

	AddressChecks(AddressCheckStore store, Transactions transactions, JdbcTransactions blocking) {
		this.store = store;
		this.transactions = transactions;
		this.blocking = blocking;
	}

	/** All results, the worst first for each subject. */
	public Mono<List<AddressCheck>> all() {
		return this.transactions.listAcrossAccounts(this.store.all().collectList());
	}

	/** All results, for callers that wait. */
	public List<AddressCheck> read() {
		return this.blocking.<List<AddressCheck>>acrossAccounts(this.store::all);
	}

	/** The block lists by name. */
	public Mono<List<BlockList>> lists() {
		return this.transactions.listAcrossAccounts(this.store.lists().collectList());
	}

	/**
	 * Asks for a check of an address or domain; to be called in a transaction.
	 * @return whether it is known
	 */
	public Mono<Boolean> request(String subject) {
		return this.store.request(subject);
	}

	/** Whether an address is due: never checked, an hour ago, or on request. */
	public boolean isDue() {
		return this.blocking.<Boolean>acrossAccounts(this.store::isDue);
	}

	/** The block lists that answered as they should within the last day. */
	public List<BlockList> tested() {
		return this.blocking.<List<BlockList>>acrossAccounts(this.store::tested);
	}

	/** Saves the test of a list. */
	public void save(BlockList list) {
		this.blocking.runAcrossAccounts((jdbc) -> this.store.save(jdbc, list));
	}

	/** Forgets the lists that are no longer asked. */
	public void keep(Collection<String> lists) {
		this.blocking.runAcrossAccounts((jdbc) -> this.store.keep(jdbc, lists));
	}

	/** Saves what was found about addresses, in place of all earlier results of them. */
	public void saveAddresses(List<Finding> findings) {
		this.blocking.runAcrossAccounts((jdbc) -> this.store.saveAddresses(jdbc, findings));
	}

	/** Saves what a list of domains has said, in place of its earlier results. */
	public void saveDomains(String list, List<Finding> findings) {
		this.blocking.runAcrossAccounts((jdbc) -> this.store.saveDomains(jdbc, list, findings));
	}

	/** The names of the verified domains of all accounts. */
	public List<String> sendingDomains() {
		return this.blocking.<List<String>>acrossAccounts(this.store::sendingDomains);
	}

}
