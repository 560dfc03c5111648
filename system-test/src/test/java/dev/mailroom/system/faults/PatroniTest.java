package dev.mailroom.system.faults;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Failovers that Patroni decides, under load of single mails, batches, a campaign and
 * webhook calls: no accepted mail is lost. Each test leaves a primary with two standbys.
 */
@Tag("nightly")
@Isolated("Patroni's limits need the whole machine")
class PatroniTest {

	@TempDir
	private static Path directory;

	private static PatroniCluster cluster;

	private static ReplicatedInstallation installation;

	@BeforeAll
	static void start() throws Exception {
		assumeTrue(PatroniCluster.isInstalled(), "patroni, etcd-server and postgresql of Debian are not installed");
		installation = new ReplicatedInstallation(directory, () -> {
			cluster = new PatroniCluster(directory, ReplicatedInstallation.NAME);
			return cluster;
		});
	}

	@AfterAll
	static void stop() throws Exception {
		if (installation != null) {
			installation.close();
		}
	}

	@Test
	void aStandbyReplacesAKilledPrimary() throws Exception {
		PatroniCluster.Node killed = cluster.awaitLeader();
		try (FailoverLoad load = new FailoverLoad(installation)) {
			killed.kill();
			cluster.awaitLeaderOtherThan(killed);
			load.awaitMore();
			killed.start();
			load.assertThatNothingIsLost("primary killed");
		}
		cluster.awaitStandbys();
	}

	@Test
	void aSwitchoverLosesNoMail() throws Exception {
		PatroniCluster.Node former = cluster.awaitLeader();
		try (FailoverLoad load = new FailoverLoad(installation)) {
			cluster.switchOver();
			cluster.awaitLeaderOtherThan(former);
			load.awaitMore();
			load.assertThatNothingIsLost("switchover");
		}
		cluster.awaitStandbys();
	}

	@Test
	void aFrozenPrimaryThatRunsAgainConfirmsNoMail() throws Exception {
		PatroniCluster.Node frozen = cluster.awaitLeader();
		try (FailoverLoad load = new FailoverLoad(installation)) {
			frozen.freeze();
			cluster.awaitLeaderOtherThan(frozen);
			load.awaitMore();
			frozen.thaw();
			load.awaitMore();
			load.assertThatNothingIsLost("primary frozen");
		}
		cluster.awaitStandbys();
	}

	@Test
	void aPrimaryWithoutEtcdIsReplacedAndFollowsTheOther() throws Exception {
		PatroniCluster.Node partitioned = cluster.awaitLeader();
		try (FailoverLoad load = new FailoverLoad(installation)) {
			partitioned.partition();
			cluster.awaitLeaderOtherThan(partitioned);
			load.awaitMore();
			partitioned.heal();
			load.assertThatNothingIsLost("primary without etcd");
		}
		cluster.awaitStandbys();
	}

}
