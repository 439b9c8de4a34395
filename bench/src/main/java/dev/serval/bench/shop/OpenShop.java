package dev.serval.bench.shop;

import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.ShopCell;
import java.io.IOException;

/// A server of which every page has been seen, so that all are compiled, and its users. Used by the
/// thread of the run.
///
/// @param toured the interactions of those who have seen the pages
record OpenShop(RunningPeer server, ShopLoad load, ShopTally toured) implements AutoCloseable {
    private static final int TOURISTS = 20;
    private static final double TOUR_THINK_SECONDS = 0.2;
    private static final int TOUR_SECONDS = 5;

    /// Starts servers for a cell, one after the other, which all have the same database.
    ///
    /// @param peer the server, with the options for the shop
    record Opener(Peer peer, Stage stage, ShopCell cell, ShopCell.Extent extent) {
        /// Starts a server.
        ///
        /// @param time different for each server, because new customers need new names
        OpenShop open(int time) throws IOException {
            RunningPeer server = peer.start(stage);
            try {
                ShopTally toured = tour(server.port(), "tourist" + time + "n");
                ShopHabits habits = ShopHabits.of(cell, extent);
                ShopChain chain = ShopChain.of(cell.mix());
                ShopLoad load = load(server.port(), chain, habits, "newcomer" + time + "n");
                return new OpenShop(server, load, toured);
            } catch (RuntimeException | Error e) {
                server.close();
                throw e;
            }
        }

        private ShopLoad load(int port, ShopChain chain, ShopHabits habits, String newcomer) {
            return new ShopLoad(cell.protocol(), port, chain, habits, extent.customers(), newcomer);
        }

        /// Lets a few hasty visitors see every page.
        private ShopTally tour(int port, String newcomer) {
            ShopHabits hasty =
                    new ShopHabits(
                            TOUR_THINK_SECONDS,
                            0,
                            TOUR_SECONDS,
                            cell.connections(),
                            cell.answerSeconds());
            ShopChain everything = ShopChain.of(ShopCell.Mix.ORDERING);
            try (ShopLoad load = load(port, everything, hasty, newcomer)) {
                load.settle(TOURISTS, TOUR_SECONDS);
                return load.aside();
            }
        }
    }

    @Override
    public void close() {
        load.close();
        server.close();
    }
}
