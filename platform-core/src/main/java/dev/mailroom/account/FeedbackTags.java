package dev.mailroom.account;

import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.stereotype.Service;

/**
 * Names of accounts in reports of mailbox providers. They are random: a receiver learns
 * neither who the customer is nor how many there are.
 */
@Service
public class FeedbackTags {

	private static final int LENGTH = 10;

	private static final SecureRandom RANDOM = new SecureRandom();

	private final JdbcTransactions transactions;

	private final FeedbackTagStore store;

	FeedbackTags(JdbcTransactions transactions, FeedbackTagStore store) {
		this.transactions = transactions;
		this.store = store;
	}

	/**
	 * The tag of an account, which gets one if it has none.
	 * @throws IllegalStateException if there is no such account
	 */
	public String of(UUID account) {
		return this.transactions.<String>acrossAccounts((jdbc) -> {
			List<String> stored = this.store.find(jdbc, account);
			return (!stored.isEmpty() ? stored : this.store.give(jdbc, account, random())).stream()
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("The account of a mail does not exist"));
		});
	}

	private static String random() {
		return RANDOM.ints(LENGTH, 'a', 'z' + 1)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	/** SQL of the tags. */
	@Repository
	static class FeedbackTagStore {

		@AcrossAccounts("the worker sends every account's mail")
		List<String> find(JdbcClient jdbc, UUID account) {
			return SqlStatement.of("select feedback_tag from account where id = :id and feedback_tag is not null")
				.bind("id", account)
				.values(jdbc, String.class);
		}

		/** Gives an account a tag unless another worker has just done so. */
		@AcrossAccounts("the worker sends every account's mail")
		List<String> give(JdbcClient jdbc, UUID account, String tag) {
			return SqlStatement.of("""
					update account set feedback_tag = coalesce(feedback_tag, :tag) where id = :id returning feedback_tag
					""").bind("id", account).bind("tag", tag).values(jdbc, String.class);
		}

	}

}
