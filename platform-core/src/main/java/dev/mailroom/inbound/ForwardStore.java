package dev.mailroom.inbound;

import java.util.Locale;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.inbound.Forwards.Failure;
import dev.mailroom.inbound.Forwards.Order;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the numbers of forwarded mails. */
@Repository
class ForwardStore {

	/** Mails that a domain forwards of those that arrive in an hour. */
	static final int MAX_PER_HOUR = 1000;

	private final DatabaseClient database;

	ForwardStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Counts mails that are to be queued, unless the domain has reached its limit. The
	 * commit does not wait for the disk: the one of the mails does, and comes later.
	 */
	Mono<Permit> permit(Order order, String route) {
		return bind("""
				with earlier as (
				    select from idempotency_key where account_id = :account and route = :route and key = :key),
				counted as (
				    insert into forward_hour as present (account_id, domain_id, hour, result, mails)
				    select :account, :domain, date_trunc('hour', :arrived::timestamptz, 'UTC'), 'queued', :mails
				     where not exists (select from earlier)
				    on conflict (account_id, domain_id, hour, result)
				        do update set mails = present.mails + excluded.mails
				               where present.mails + excluded.mails <= :max
				    returning mails)
				select case when exists (select from earlier) then 'repeated'
				            when exists (select from counted) then 'granted' else 'limited' end
				  from set_config('synchronous_commit', 'off', true)
				""", order, order.targets().size()).bind("route", route)
			.bind("key", order.key())
			.bind("max", MAX_PER_HOUR)
			.mapValue(String.class)
			.one()
			.map((permit) -> Permit.valueOf(permit.toUpperCase(Locale.ROOT)));
	}

	/** Takes mails back that were counted and not queued. */
	Mono<Void> takeBack(Order order) {
		return bind("""
				update forward_hour set mails = mails - :mails
				 where account_id = :account and domain_id = :domain and result = 'queued'
				   and hour = date_trunc('hour', :arrived::timestamptz, 'UTC')
				""", order, order.targets().size()).then();
	}

	/** Counts mails that are not queued. */
	Mono<Void> count(Order order, Failure failure, int mails) {
		return bind("""
				insert into forward_hour as present (account_id, domain_id, hour, result, mails)
				values (:account, :domain, date_trunc('hour', :arrived::timestamptz, 'UTC'), :result, :mails)
				on conflict (account_id, domain_id, hour, result) do update set mails = present.mails + excluded.mails
				""", order, mails).bind("result", failure.contractName()).then();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, Order order, int mails) {
		return this.database.sql(sql)
			.bind("account", order.accountId())
			.bind("domain", order.domainId())
			.bind("arrived", order.receivedAt())
			.bind("mails", mails);
	}

	/** Accounts with forwards or targets, those with most refused forwards first. */
	@AcrossAccounts("operators watch the forwards of all accounts")
	Flux<ForwardFigures> figures(int hours, int limit) {
		return this.database.sql("""
				with counted as (
				    select account_id, coalesce(sum(mails) filter (where result = 'queued'), 0) as queued,
				           coalesce(sum(mails) filter (where result = 'loop'), 0) as loops,
				           coalesce(sum(mails) filter (where result = 'virus'), 0) as viruses,
				           coalesce(sum(mails) filter (where result = 'limit'), 0) as limited,
				           coalesce(sum(mails) filter (where result = 'not_confirmed'), 0) as unconfirmed,
				           coalesce(sum(mails) filter (where result = 'refused'), 0) as refused
				      from forward_hour where hour > now() - :hours * interval '1 hour' group by account_id),
				target as (
				    select account_id, count(confirmed_at) as confirmed, count(*) - count(confirmed_at) as waiting
				      from forward_target group by account_id)
				select account_id, account.email as account, coalesce(queued, 0)::bigint as queued,
				       coalesce(loops, 0)::bigint as loops, coalesce(viruses, 0)::bigint as viruses,
				       coalesce(limited, 0)::bigint as limited, coalesce(unconfirmed, 0)::bigint as unconfirmed,
				       coalesce(refused, 0)::bigint as refused, coalesce(confirmed, 0) as confirmed_targets,
				       coalesce(waiting, 0) as waiting_targets
				  from counted full join target using (account_id) join account on account.id = account_id
				 order by coalesce(loops + viruses + limited + unconfirmed + refused, 0) desc, coalesce(queued, 0) desc,
				          account_id
				 limit :limit
				""").bind("hours", hours).bind("limit", limit).mapProperties(ForwardFigures.class).all();
	}

	/** Results of a request to forward mails. */
	enum Permit {

		/** They are counted, and may be queued. */
		GRANTED,
		/** The domain has reached its limit. */
		LIMITED,
		/** They are queued already. */
		REPEATED

	}

}
